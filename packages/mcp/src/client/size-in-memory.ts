// what engines with fields of eight bytes take, rounded up a little
const fieldBytes = 8
const stringBytes = 24
const arrayBytes = 48
const objectBytes = 64
const keyBytes = 64

/** Bytes that a value as JSON has it takes up in memory, closely enough to limit how many are kept. */
export function sizeInMemory(value: unknown): number {
  return weighWith(value, new Set())
}

// a key that many objects have is kept once
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

// text of such characters is kept in a byte each
function isNarrow(text: string): boolean {
  return !/[^\0-\xff]/.test(text)
}
