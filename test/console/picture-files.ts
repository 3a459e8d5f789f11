// Pictures as files of few colours, so that hundreds of them are small, and compared.
import { crc32, deflateSync } from 'node:zlib'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** Pixels in RGBA. */
export interface Picture {
  width: number
  height: number
  data: Buffer
}

const colorsMax = 256
/** How many of these are the most frequent ones. */
const frequentMax = 128
/** Up to here two colours pass for the same: 0 to 1, as pixelmatch has it. */
const threshold = 0.1

export function readPicture(file: Buffer): Picture {
  return PNG.sync.read(file)
}

/** The picture as it is kept: in 256 colours at most. */
export function reduced({ width, height, data }: Picture): Picture {
  const small = Buffer.from(data)
  const palette = paletteOf(small)
  const nearest = new Map(palette.map((color) => [color, color]))
  for (let at = 0; at < small.length; at += 4) {
    const color = small.readUIntBE(at, 3)
    let kept = nearest.get(color)
    if (kept === undefined) {
      kept = palette.reduce((best, each) => (distance(each, color) < distance(best, color) ? each : best))
      nearest.set(color, kept)
    }
    small.writeUIntBE(kept, at, 3)
  }
  return { width, height, data: small }
}

function paletteOf(data: Buffer): number[] {
  const counts = new Map<number, number>()
  for (let at = 0; at < data.length; at += 4) {
    const color = data.readUIntBE(at, 3)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const colors = [...counts].sort(([a, m], [b, n]) => n - m || a - b).map(([color]) => color)
  if (colors.length <= colorsMax) return colors
  const palette = colors.slice(0, frequentMax)
  // The rest is for colours unlike those, as a dot has them.
  const others = colors.slice(frequentMax).map((color) => ({ color, far: Number.POSITIVE_INFINITY }))
  const near = (kept: number) => {
    for (const other of others) other.far = Math.min(other.far, distance(kept, other.color))
  }
  palette.forEach(near)
  while (palette.length < colorsMax) {
    const { color } = others.reduce((most, each) => (each.far > most.far ? each : most))
    palette.push(color)
    near(color)
  }
  return palette
}

/** Squared. It is worked out a million times a picture. */
function distance(a: number, b: number): number {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)]
  return red * red + green * green + blue * blue
}

/** A PNG file with a palette (colour type 3), which the library does not write; at most 256 colours. */
export function indexedFile({ width, height, data }: Picture): Buffer {
  const palette = paletteOf(data)
  const indexOf = new Map(palette.map((color, index) => [color, index]))
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      lines[y * (width + 1) + 1 + x] = indexOf.get(data.readUIntBE((y * width + x) * 4, 3)) ?? 0
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colors = Buffer.alloc(palette.length * 3)
  for (const [index, color] of palette.entries()) colors.writeUIntBE(color, index * 3, 3)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('PLTE', colors), chunk('IDAT', deflateSync(lines, { level: 9 }))]
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(content.length, 0)
  whole.set(body, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** How many pixels of two pictures differ; infinitely many where their sizes do. */
export function differing(a: Picture, b: Picture): number {
  const { width, height } = a
  if (width !== b.width || height !== b.height) return Number.POSITIVE_INFINITY
  return pixelmatch(a.data, b.data, undefined, width, height, { threshold })
}

/** A PNG file that shows where two pictures of one size differ. */
export function differenceFile(a: Picture, b: Picture): Buffer {
  const { width, height } = a
  const shown = new PNG({ width, height })
  pixelmatch(a.data, b.data, shown.data, width, height, { threshold })
  return PNG.sync.write(shown)
}
