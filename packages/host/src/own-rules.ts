import { join } from 'node:path'
import type { Act } from './acts/act.ts'
import { addRule } from './config/add-rule.ts'
import { localFile, type Places } from './config/places.ts'
import { type WrittenRuleChange, WrittenRules } from './config/written-rules.ts'
import { alwaysRule } from './policy/always-rule.ts'

/** The rules that the host writes for a person, into the person's own file or into the one for a project. */
export class OwnRules {
  readonly #places: Places
  readonly #written: WrittenRules
  readonly #changed: (file: string) => Promise<void>

  /** Calls `changed` when it has written a file, so that its rules are in force when a decision returns. */
  constructor(places: Places, changed: (file: string) => Promise<void>) {
    this.#places = places
    this.#written = new WrittenRules(join(places.state, 'written-rules.json'))
    this.#changed = changed
  }

  /** Writes the rule by which an act like this one is always allowed. */
  async always(act: Act): Promise<void> {
    const rule = this.ruleFor(act)
    if (rule) await this.write('allow', rule.text, act.project)
  }

  /** The rule that "always" would write, and where. */
  ruleFor(act: Parameters<typeof alwaysRule>[0] & Pick<Act, 'project'>): { text: string; file: string } | undefined {
    const text = alwaysRule(act)
    return text === undefined ? undefined : { text, file: this.#fileFor(act.project) }
  }

  /** Writes a rule, and tells where. */
  async write(effect: 'allow' | 'ask' | 'deny', rule: string, project?: string): Promise<string> {
    const file = this.#fileFor(project)
    const change = await addRule(file, effect, rule)
    await this.#written.add({ effect, rule, at: Date.now(), change })
    await this.#changed(file)
    return file
  }

  /** Takes back the last rule that was written. */
  async undo(): Promise<WrittenRuleChange | undefined> {
    const undone = await this.#written.undo()
    if (undone) await this.#changed(undone.change.file)
    return undone
  }

  #fileFor(project: string | undefined): string {
    return project === undefined ? this.#places.userFile : localFile(this.#places, project)
  }
}
