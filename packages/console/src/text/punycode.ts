/** The numbers of RFC 3492, section 5. */
const base = 36
const minDigit = 1
const maxDigit = 26
const skew = 38
const damp = 700
const firstBias = 72
const firstCode = 128

/** A host name in the letters that a person is shown for it, where a part of it begins with `xn--`. */
export function decodeHost(host: string): string {
  return host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decodeLabel(label.slice(4)) ?? label) : label))
    .join('.')
}

/** @see https://www.rfc-editor.org/rfc/rfc3492#section-6.2 */
function decodeLabel(text: string): string | undefined {
  const end = text.lastIndexOf('-')
  const letters = [...text.slice(0, Math.max(0, end))].map((letter) => letter.codePointAt(0) ?? 0)
  let [code, bias, index, at] = [firstCode, firstBias, 0, end + 1]
  while (at < text.length) {
    const before = index
    for (let [weight, k] = [1, base]; ; k += base) {
      const digit = digitOf(text[at])
      if (digit === undefined) return undefined
      at += 1
      index += digit * weight
      const threshold = Math.min(Math.max(k - bias, minDigit), maxDigit)
      if (digit < threshold) break
      weight *= base - threshold
    }
    const count = letters.length + 1
    bias = adapted(index - before, count, before === 0)
    code += Math.floor(index / count)
    index %= count
    if (code > 0x10ffff) return undefined
    letters.splice(index, 0, code)
    index += 1
  }
  return String.fromCodePoint(...letters)
}

function digitOf(letter: string | undefined): number | undefined {
  const digit = Number.parseInt(letter ?? '', 36)
  // in Punycode the letters come before the digits
  if (Number.isNaN(digit)) return undefined
  return digit < 10 ? digit + 26 : digit - 10
}

function adapted(given: number, count: number, isFirst: boolean): number {
  let delta = Math.floor(given / (isFirst ? damp : 2))
  delta += Math.floor(delta / count)
  let k = 0
  for (; delta > ((base - minDigit) * maxDigit) / 2; k += base) delta = Math.floor(delta / (base - minDigit))
  return k + Math.floor(((base - minDigit + 1) * delta) / (delta + skew))
}
