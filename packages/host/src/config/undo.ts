/** A change of a file, kept so that it can be undone. */
export interface FileChange {
  readonly file: string
  /** Undefined when the file was not there. */
  readonly before: string | undefined
  readonly after: string
}

const contextLength = 24

/**
 * The text with a change undone; undefined when the file has to be removed. A file untouched since becomes what it was,
 * byte for byte. In one that was touched elsewhere only the place of the change is put back; if that cannot be found any
 * more, `otherwise` makes the text.
 */
export function undoChange(
  change: FileChange,
  current: string,
  otherwise: (text: string) => string,
): string | undefined {
  if (current === change.after) return change.before
  const { before = '', after } = change
  const start = commonLength(before, after)
  const end = commonLength(reversed(before.slice(start)), reversed(after.slice(start)))
  const head = after.slice(Math.max(0, start - contextLength), start)
  const tail = after.slice(after.length - end, after.length - end + contextLength)
  const added = head + after.slice(start, after.length - end) + tail
  const at = current.indexOf(added)
  if (at < 0 || current.indexOf(added, at + 1) >= 0) return otherwise(current)
  const removed = head + before.slice(start, before.length - end) + tail
  return current.slice(0, at) + removed + current.slice(at + added.length)
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}

function reversed(text: string): string {
  return text.split('').reverse().join('')
}
