import { none, type TemplatePiece } from './split-uri.ts'

/** Matches literal text, with Knuth-Morris-Pratt, so that the search is linear. */
export function literalPiece(text: string): TemplatePiece {
  const wanted = new TextEncoder().encode(text)
  const borders = bordersOf(wanted)
  return (subject, next) => {
    const { bytes } = subject
    const ends = new Int32Array(bytes.length + 1).fill(none)
    let matched = 0
    let steps = 0
    for (let position = 0; position < bytes.length; position++) {
      steps++
      while (matched > 0 && bytes[position] !== wanted[matched]) {
        steps++
        matched = borders[matched - 1] as number
      }
      if (bytes[position] === wanted[matched]) matched++
      const end = position + 1
      if (matched === wanted.length && next[end] !== none) ends[end - matched] = end
    }
    subject.steps += steps
    return ends
  }
}

/** The failure function: for each prefix, the longest border. */
function bordersOf(text: Uint8Array): Int32Array {
  const borders = new Int32Array(text.length)
  let matched = 0
  for (let position = 1; position < text.length; position++) {
    while (matched > 0 && text[position] !== text[matched]) matched = borders[matched - 1] as number
    if (text[position] === text[matched]) matched++
    borders[position] = matched
  }
  return borders
}
