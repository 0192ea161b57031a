// sizes of an engine with eight-byte fields, rounded up
const fieldBytes = 8
const stringBytes = 24
const arrayBytes = 48
const objectBytes = 64
const keyBytes = 64

/** The approximate bytes of a JSON value in memory, for limits. */
export function sizeInMemory(value: unknown): number {
  return weighWith(value, new Set())
}

// a key that many objects share is stored once
function weighWith(value: unknown, keys: Set<string>): number {
  if (typeof value === 'string') return stringBytes + value.length * (isNarrow(value) ? 1 : 2)
  if (typeof value !== 'object' || value === null) return fieldBytes
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + fieldBytes + weighWith(item, keys), arrayBytes)
  let sum = objectBytes
  for (const [key, member] of Object.entries(value)) {
    sum += fieldBytes + weighWith(member, keys)
    if (keys.has(key)) continue
    keys.add(key)
    sum += keyBytes + key.length
  }
  return sum
}

// such text is stored in one byte per character
function isNarrow(text: string): boolean {
  return !/[^\0-\xff]/.test(text)
}
