import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { addRule } from '../config/add-rule.ts'
import { type Value, valueAt } from '../config/document/document.ts'
import { readJson } from '../config/document/json.ts'
import { localFile, type Places } from '../config/places.ts'
import { type RuleInFile, replaceRule } from '../config/replace-rule.ts'
import { type WrittenRuleChange, WrittenRules } from '../config/written-rules.ts'
import { alwaysRule, type PlacedRule, type RuleScope, ruleInScope } from './always-rule.ts'
import type { RuleText } from './rule.ts'

/** True if a file has exactly this allow rule already. */
async function hasRule(file: string, rule: RuleText): Promise<boolean> {
  const written = await readFile(file, 'utf8').catch(() => undefined)
  if (written === undefined) return false
  const rules = valueAt(readJson(file, written).value, ['policy', 'allow'])
  return Array.isArray(rules) && rules.some((one) => canonicalJson(one) === canonicalJson(rule))
}

/** The rules that the host writes for a person, into the person's own file or into the one for a project. */
export class OwnRules {
  readonly #places: Places
  readonly #written: WrittenRules
  #writing: Promise<void> = Promise.resolve()
  readonly #changed: (file: string) => Promise<void>

  /** Calls `changed` when it has written a file, so that its rules are in force when a decision returns. */
  constructor(places: Places, changed: (file: string) => Promise<void>) {
    this.#places = places
    this.#written = new WrittenRules(join(places.state, 'written-rules.json'))
    this.#changed = changed
  }

  /** Writes the rule by which an act like this one is always allowed, within the scope that the person chose. */
  async always(act: Act, scope: RuleScope): Promise<void> {
    const placed = this.ruleFor(act, scope)
    if (!placed) return
    const rule = ruleInScope(placed.text, act.principal, scope)
    // one after the other: calls that shared a question want the same rule
    const writing = this.#writing.then(async () => {
      if (!(await hasRule(placed.file, rule))) await this.write('allow', rule, act.project)
    })
    this.#writing = writing.catch(() => {})
    await writing
  }

  /** The rule that "always" would write, and where. */
  ruleFor(
    act: Parameters<typeof alwaysRule>[0] & Pick<Act, 'project'>,
    scope: Pick<RuleScope, 'isExact'> = {},
  ): PlacedRule | undefined {
    const text = alwaysRule(act, scope)
    if (text === undefined) return undefined
    return { text, file: this.#fileFor(act.project), layer: act.project === undefined ? 'user' : 'local' }
  }

  /** Writes a rule, and returns its place. */
  async write(effect: 'allow' | 'ask' | 'deny', rule: RuleText, project?: string): Promise<string> {
    const file = this.#fileFor(project)
    const value = rule as Value
    const change = await addRule(file, effect, value)
    await this.#written.add({ effect, rule: value, at: Date.now(), change })
    await this.#changed(file)
    return file
  }

  /** Puts another rule in the place of one in its file, or removes it. */
  async replace(rule: RuleInFile, instead: string | undefined): Promise<void> {
    await replaceRule(rule, instead)
    await this.#changed(rule.file)
  }

  /** The last rule that was written and can be taken back. */
  async last(): Promise<WrittenRuleChange | undefined> {
    const [last] = await this.#written.all()
    return last
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
