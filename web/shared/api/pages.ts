// Long lists, page by page: a page is fetched when it comes near, and kept fresh while it is in sight; the others stay as they were. Keeping
// all that was ever scrolled past fresh would take hundreds of requests for each change.
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  type QueryMeta,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'

export interface ListPage<Row> {
  rows: readonly Row[]
  /** How many rows there are in all; left out: nobody knows. */
  total?: number
  /** Where the next page begins; null: this is the last. */
  next: string | null
}

export interface LongList<Row> {
  /** The key of the pages. */
  key: QueryKey
  /** Which messages make all pages stale. */
  live: NonNullable<QueryMeta['live']>
  /** The key of the rows in sight. */
  sightKey: QueryKey
  /** Which messages make the rows in sight stale. */
  sightLive: NonNullable<QueryMeta['live']>
  keyOf: (row: Row) => string
  fetchPage: (cursor: string, signal: AbortSignal) => Promise<ListPage<Row>>
}

const refreshMs = 15_000
/** A page that came so lately is not fetched again. */
const freshMs = 500
/** Who scrolls past does not look. */
const settledMs = 300
/** A page before whose first row others have come again and again is fetched again. */
const grownMax = 1_000
const marginRows = 30

/** Rows in sight, from the first to the last. */
interface Sight {
  first: number
  last: number
}

type Pages<Row> = InfiniteData<ListPage<Row>, string>

const pagesQuery = <Row>(list: LongList<Row>) =>
  infiniteQueryOptions<ListPage<Row>, Error, Pages<Row>, QueryKey, string>({
    queryKey: list.key,
    meta: { live: list.live },
    queryFn: ({ pageParam, signal }) => list.fetchPage(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

/** Asks for the first page before the list is there. */
export function prefetchList<Row>(queries: QueryClient, list: LongList<Row>): void {
  void queries.prefetchInfiniteQuery(pagesQuery(list))
}

export function useLongList<Row>(list: LongList<Row>) {
  const queries = useQueryClient()
  const pages = useInfiniteQuery(pagesQuery(list))
  const rows = useMemo(() => pages.data?.pages.flatMap((page) => page.rows), [pages.data])
  const [sight, setSight] = useState<Sight>({ first: 0, last: 0 })
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [first, last] = pages.data === undefined ? [0, 0] : pagesIn(pages.data, sight)

  useQuery({
    queryKey: [...list.sightKey, first, last],
    meta: { live: list.sightLive },
    enabled: pages.data !== undefined && !pages.isPlaceholderData,
    refetchInterval: refreshMs,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryState<Pages<Row>>(list.key)
      if (before?.data === undefined || Date.now() - before.dataUpdatedAt < freshMs) return null
      for (let at = first; at <= last; at++) {
        const fetched = await list.fetchPage(before.data.pageParams[at], signal)
        const known = queries.getQueryData<Pages<Row>>(list.key)
        const page = known?.pages[at]
        if (known === undefined || page === undefined) return null
        const renewed = renewedPage(page, fetched, list.keyOf)
        if (renewed !== null) {
          queries.setQueryData<Pages<Row>>(list.key, { ...known, pages: known.pages.with(at, renewed) })
          continue
        }
        // Rows have come or gone somewhere: what is below is as well fetched when somebody scrolls there.
        queries.setQueryData<Pages<Row>>(list.key, upTo(known, last))
        await queries.refetchQueries({ queryKey: list.key, exact: true })
        return null
      }
      return null
    },
  })

  const count = rows?.length ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  /** To be told which rows are in sight. */
  const onSight = useCallback(
    (firstRow: number, lastRow: number) => {
      if (hasNextPage && !isFetchingNextPage && lastRow >= count - marginRows) void fetchNextPage()
      clearTimeout(settling.current)
      settling.current = setTimeout(() => setSight({ first: firstRow, last: lastRow }), settledMs)
    },
    [hasNextPage, isFetchingNextPage, fetchNextPage, count],
  )
  return { rows, total: pages.data?.pages[0]?.total, error: pages.error, refetch: pages.refetch, onSight }
}

/** The first and the last of the pages in sight. */
function pagesIn<Row>({ pages }: Pages<Row>, { first, last }: Sight): [first: number, last: number] {
  return [pageOf(pages, first), pageOf(pages, last)]
}

function pageOf<Row>(pages: readonly ListPage<Row>[], row: number): number {
  let end = 0
  const at = pages.findIndex(({ rows }) => {
    end += rows.length
    return row < end
  })
  return at < 0 ? pages.length - 1 : at
}

/** The page with what was fetched of it, and before that what is new; null: the rows are others. */
export function renewedPage<Row>(
  page: ListPage<Row>,
  fetched: ListPage<Row>,
  keyOf: (row: Row) => string,
): ListPage<Row> | null {
  const { rows } = page
  const added = rows.length === 0 ? 0 : fetched.rows.findIndex((row) => keyOf(row) === keyOf(rows[0]))
  const again = fetched.rows.slice(added)
  if (added < 0 || fetched.rows.length > rows.length + added) return null
  if (again.some((row, at) => keyOf(row) !== keyOf(rows[at]))) return null
  const kept = rows.slice(again.length)
  const isGone = kept.length > 0 && fetched.next === null
  if (isGone || fetched.rows.length + kept.length > grownMax) return null
  return { ...page, ...fetched, rows: [...fetched.rows, ...kept], next: page.next }
}

function upTo<Row>({ pages, pageParams }: Pages<Row>, last: number): Pages<Row> {
  return { pages: pages.slice(0, last + 1), pageParams: pageParams.slice(0, last + 1) }
}
