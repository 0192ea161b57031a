import { readFile } from 'node:fs/promises'
import { isTable, type Value, valueAt } from './document/document.ts'
import { readJson } from './document/json.ts'
import { editConfigFile } from './edit-config-file.ts'

/** A rule in a file, by its text or its JSON. */
export interface RuleInFile {
  readonly file: string
  readonly effect: 'allow' | 'ask' | 'deny'
  readonly text: string
}

/** Puts another rule in the place of one, or removes it; throws where the file does not hold it. */
export async function replaceRule({ file, effect, text }: RuleInFile, instead: string | undefined): Promise<void> {
  const list = valueAt(readJson(file, await readFile(file, 'utf8')).value, ['policy', effect])
  const at = Array.isArray(list) ? list.findIndex((one) => textOf(one) === text) : -1
  if (at < 0) throw new Error(`Cannot find the rule ${effect} "${text}" in "${file}"`)
  await editConfigFile(file, [
    { path: ['policy', effect, at], value: instead === undefined ? undefined : ruleOf(instead) },
  ])
}

function textOf(rule: Value): string {
  return typeof rule === 'string' ? rule : JSON.stringify(isTable(rule) ? { ...rule } : rule)
}

/** A rule as it stands in a file, from its text or its JSON; throws where that is no JSON. */
export function ruleOf(text: string): Value {
  return text.startsWith('{') ? (JSON.parse(text) as Value) : text
}
