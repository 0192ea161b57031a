/** Parses an IP address into four or sixteen bytes; undefined when the text is not an address. */
export function bytesOfAddress(address: string): readonly number[] | undefined {
  return address.includes(':') ? sixteen(address) : four(address)
}

function four(address: string): readonly number[] | undefined {
  const bytes = address.split('.').map((part) => (/^(?:0|[1-9]\d{0,2})$/.test(part) ? Number(part) : Number.NaN))
  return bytes.length === 4 && bytes.every((byte) => byte <= 255) ? bytes : undefined
}

function sixteen(address: string): readonly number[] | undefined {
  const halves = address.split('::').map(groups)
  if (halves.length > 2 || halves.includes(undefined)) return undefined
  const [head = [], tail] = halves
  if (tail === undefined) return head.length === 16 ? head : undefined
  const gap = 16 - head.length - tail.length
  return gap < 2 ? undefined : [...head, ...new Array<number>(gap).fill(0), ...tail]
}

function groups(half: string): readonly number[] | undefined {
  const bytes = half === '' ? [] : half.split(':').map(group)
  return bytes.includes(undefined) ? undefined : bytes.flatMap((pair) => pair ?? [])
}

function group(text: string): readonly number[] | undefined {
  if (text.includes('.')) return four(text)
  if (!/^[\da-f]{1,4}$/i.test(text)) return undefined
  const value = Number.parseInt(text, 16)
  return [value >> 8, value & 255]
}
