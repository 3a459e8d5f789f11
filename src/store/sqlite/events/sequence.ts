// The place of a change among all changes of a user's events: whoever knows the last place that they have read finds what changed since.

/**
 * The next place of the user of a row of `events`, as SQL; its parameter is the time, Unix milliseconds. It is the time where that is ahead: a change that
 * a loss of power has undone, and that somebody has read, leaves its place to no later one. Users have places of their own: common ones would tell them
 * how much goes on with others. Rows are to be changed one at a time, or one for each user, so that no two have the same place.
 */
export const nextPlace = nextPlaceOf('events.user_id')

/** The same for a row that is still to be written. */
export function nextPlaceOf(userId: string): string {
  return `max(?, 1 + coalesce((SELECT max(own.sequence) FROM events AS own WHERE own.user_id = ${userId}), 0))`
}
