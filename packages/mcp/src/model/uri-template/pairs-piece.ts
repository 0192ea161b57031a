import { asciiSet } from './encoding.ts'
import type { Expression } from './parse.ts'
import { nearestStarts, none, type TemplatePiece, whenAbsent } from './split-uri.ts'

const equals = 0x3d

/** An expression of `name=value` pairs: takes every pair it knows by name, and of the last value what it must. */
export function pairsPiece({ operator, variables }: Expression): TemplatePiece {
  const lead = operator.lead.charCodeAt(0)
  const separator = operator.separator.charCodeAt(0)
  const endsPair = asciiSet(operator.separator + operator.stops)
  // no name holds a question mark, so the names that are looked up never overlap
  const endsName = asciiSet(`${operator.separator}${operator.stops}=?`)
  const names = new Set(variables.map(({ name }) => name))
  const takesAnyName = variables.some(({ explode }) => explode)

  return (subject, next) => {
    const { uri, bytes } = subject
    const nearest = nearestStarts(subject, next)
    const ends = whenAbsent(next)
    // where a series of pairs ends whose first one starts here, be it with the lead or with a separator
    const series = new Int32Array(next.length).fill(none)
    let pairEnd = bytes.length
    let nameEnd = bytes.length
    for (let position = bytes.length - 1; position >= 0; position--) {
      const byte = bytes[position] as number
      if (byte === lead || byte === separator) {
        subject.steps += nameEnd - position
        const hasName = nameEnd === pairEnd || bytes[nameEnd] === equals
        if (hasName && (takesAnyName || names.has(uri.slice(position + 1, nameEnd)))) {
          const end = nearest[Math.min(nameEnd + 1, pairEnd)] as number
          if (end <= pairEnd) series[position] = end
          if (bytes[pairEnd] === separator && series[pairEnd] !== none) series[position] = series[pairEnd] as number
        }
        if (byte === lead && series[position] !== none) ends[position] = series[position] as number
      }
      if (endsPair[byte]) pairEnd = position
      if (endsName[byte]) nameEnd = position
    }
    subject.steps += bytes.length
    return ends
  }
}
