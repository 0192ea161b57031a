import { asciiSet } from './encoding.ts'
import type { Expression } from './parse.ts'
import { nearestStarts, none, type TemplatePiece, whenAbsent } from './split-uri.ts'

/** An expression without names: takes its lead, or else one character, and then no more than it must. */
export function valuePiece({ operator, variables }: Expression): TemplatePiece {
  const isOptional = operator.lead !== ''
  const lead = operator.lead.charCodeAt(0)
  const stops = asciiSet(operator.stops)
  // of all separators only a slash is never part of a value, so only slashes can be too many
  const isCounted = operator.separator === '/' && !variables.some(({ explode }) => explode)
  const [only] = variables.length === 1 ? variables : []
  const maxCharacters = only?.prefix === undefined ? Number.POSITIVE_INFINITY : only.prefix + operator.lead.length

  return (subject, next) => {
    const { bytes, characters } = subject
    const nearest = nearestStarts(subject, next)
    const ends = isOptional ? whenAbsent(next) : new Int32Array(next.length).fill(none)
    const slashes: number[] = []
    let stop = bytes.length
    for (let position = bytes.length - 1; position >= 0; position--) {
      const byte = bytes[position] as number
      const isStop = stops[byte]
      const end = nearest[position + 1] as number
      if ((isOptional ? byte === lead : !isStop) && end <= stop) {
        const isWithinSlashes = !isCounted || end <= (slashes.at(-variables.length) ?? end)
        const length = (characters[end] as number) - (characters[position] as number)
        if (isWithinSlashes && length <= maxCharacters) ends[position] = end
      }
      if (isStop) stop = position
      if (isCounted && byte === lead) slashes.push(position)
    }
    subject.steps += bytes.length
    return ends
  }
}
