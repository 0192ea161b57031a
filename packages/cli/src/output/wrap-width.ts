import { displayWidth } from './display-width.ts'

/** A text in lines of at most so many columns of a terminal: broken between words, and within a word that is wider. */
export function wrapWidth(text: string, columns: number): readonly string[] {
  if (displayWidth(text) <= columns) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (displayWidth(longer) <= columns) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = piecesOf(word, columns)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return [...lines, line]
}

function piecesOf(word: string, columns: number): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && displayWidth(piece + character) > columns) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}
