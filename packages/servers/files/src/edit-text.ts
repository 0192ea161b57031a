import { FileRefusal } from './refusal.ts'

/** One change to a text. */
export interface TextEdit {
  readonly find: string
  readonly replace: string
  /** True to replace every occurrence; else there must be exactly one. */
  readonly all?: boolean
}

/** Makes changes one after the other; one that does not fit is refused, and then nothing is changed. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  // an edit written with one line end shall fit a file that has the other
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  return edits.reduce((current, { find, replace, all = false }, at) => {
    const [wanted, fresh] = [find, replace].map((part) => part.replaceAll(/\r?\n/g, lineEnd)) as [string, string]
    const found = wanted === '' ? 0 : current.split(wanted).length - 1
    if (found === 0) throw new FileRefusal(`Cannot make edit ${at + 1}: its text is not in the file`)
    if (found > 1 && !all) {
      throw new FileRefusal(
        `Cannot make edit ${at + 1}: its text is in the file ${found} times; give more of it, or "all": true`,
      )
    }
    return current.split(wanted).join(fresh)
  }, text)
}
