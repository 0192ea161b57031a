import { type DiffLine, diffLines } from '@trunkline/base/line-diff'

/** A piece of a line, and whether the other line has it too. */
export interface LinePiece {
  readonly text: string
  readonly isChanged: boolean
}

/** Words above which a line is shown as a whole. */
const maxWords = 1_000

/** Two lines, one of which takes the place of the other, with the words that differ. */
function compareWords(before: string, after: string): readonly [readonly LinePiece[], readonly LinePiece[]] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > maxWords || now.length > maxWords) return [whole(before), whole(after)]
  const words = diffLines(old, now)
  // lines that have next to nothing in common are not one line that changed
  const kept = words.filter(({ kind, text }) => kind === 'same' && text.trim() !== '').length
  if (kept * 3 < Math.min(old.length, now.length) / 2) return [whole(before), whole(after)]
  return [pieces(words, 'removed'), pieces(words, 'added')]
}

/** The pieces of each line: where as many lines were added as removed, each is compared with the one it replaces. */
export function linePieces(lines: readonly DiffLine[]): readonly (readonly LinePiece[])[] {
  const shown: (readonly LinePiece[])[] = lines.map(({ text }) => whole(text))
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at]?.kind !== 'removed') continue
    const removed = run(lines, at, 'removed')
    const added = run(lines, at + removed, 'added')
    for (let index = 0; removed === added && index < removed; index += 1) {
      const [old, now] = [at + index, at + removed + index]
      const compared = compareWords(lines[old]?.text ?? '', lines[now]?.text ?? '')
      shown[old] = compared[0]
      shown[now] = compared[1]
    }
    at += removed + added - 1
  }
  return shown
}

function run(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let to = from
  while (lines[to]?.kind === kind) to += 1
  return to - from
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

function whole(text: string): readonly LinePiece[] {
  return [{ text, isChanged: false }]
}

/** The words of one side, those that belong together as one piece. */
function pieces(words: readonly DiffLine[], side: 'removed' | 'added'): readonly LinePiece[] {
  const shown: { text: string; isChanged: boolean }[] = []
  for (const { kind, text } of words) {
    if (kind !== 'same' && kind !== side) continue
    const isChanged = kind === side
    const last = shown.at(-1)
    if (last?.isChanged === isChanged) last.text += text
    else shown.push({ text, isChanged })
  }
  return shown
}
