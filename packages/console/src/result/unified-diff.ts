import type { DiffLine } from '@trunkline/base/line-diff'

const maxLength = 1_000_000

/** True if a text is a unified diff. */
export function isUnifiedDiff(text: string, mimeType?: string): boolean {
  if (text.length > maxLength) return false
  if (mimeType === 'text/x-diff' || mimeType === 'text/x-patch') return true
  return /^--- .*\n\+\+\+ .*\n@@ /m.test(text)
}

/** The lines of such a change; those that name files and places are the same on both sides. */
export function unifiedDiffLines(text: string): readonly DiffLine[] {
  return text.split('\n').map((line) => {
    if (/^(?:\+\+\+|---) /.test(line)) return { kind: 'same', text: line }
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) }
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) }
    return { kind: 'same', text: line.replace(/^ /, '') }
  })
}
