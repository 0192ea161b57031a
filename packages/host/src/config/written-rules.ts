import { readFile, rm } from 'node:fs/promises'
import { withLock } from '../store/lock-file.ts'
import { writeFileWhole } from '../store/write-file.ts'
import { isTable, type Value, valueAt } from './document/document.ts'
import { readJson } from './document/json.ts'
import { editJson } from './document/json-edit.ts'
import { type FileChange, undoChange } from './undo.ts'

/** A rule that was written for a person, and the change of the file. */
export interface WrittenRuleChange {
  readonly effect: 'allow' | 'ask' | 'deny'
  readonly rule: Value
  /** Time as in `Date.now()`. */
  readonly at: number
  readonly change: FileChange
}

/** Rules that can be undone, newest first; older ones are edited by hand. */
const maxRules = 20
/** Characters of all changes together. */
const maxCharacters = 4 * 1024 ** 2

/** Remembers which rules were written for a person, so that the last one can be undone. */
export class WrittenRules {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  async add(written: WrittenRuleChange): Promise<void> {
    await this.#save([written, ...(await this.all())])
  }

  /** Newest first. */
  async all(): Promise<readonly WrittenRuleChange[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '[]')
    return JSON.parse(text) as WrittenRuleChange[]
  }

  /** Takes the last rule out of its file again, and nothing else; returns it, or undefined when there is none. */
  async undo(): Promise<WrittenRuleChange | undefined> {
    const [last, ...earlier] = await this.all()
    if (!last) return undefined
    const { file } = last.change
    await withLock(`${file}.lock`, async () => {
      const current = await readFile(file, 'utf8').catch(() => undefined)
      if (current === undefined) return
      const text = undoChange(last.change, current, (otherwise) => withoutRule(file, otherwise, last))
      if (text === undefined) await rm(file)
      else await writeFileWhole(file, text)
    })
    await this.#save(earlier)
    return last
  }

  async #save(rules: readonly WrittenRuleChange[]): Promise<void> {
    let characters = 0
    const kept = rules.slice(0, maxRules).filter(({ change: { before = '', after } }) => {
      characters += before.length + after.length
      return characters <= maxCharacters
    })
    await writeFileWhole(this.#file, JSON.stringify(kept))
  }
}

/** The text without the rule, wherever it stands by now. */
function withoutRule(file: string, text: string, { effect, rule }: WrittenRuleChange): string {
  const list = valueAt(readJson(file, text).value, ['policy', effect])
  if (!Array.isArray(list)) return text
  const at = list.findLastIndex((one) => same(one, rule))
  return at < 0 ? text : editJson(text, [{ path: ['policy', effect, at], value: undefined }])
}

function same(one: Value, other: Value): boolean {
  return JSON.stringify(isTable(one) ? { ...one } : one) === JSON.stringify(other)
}
