import type { Fields } from '@trunkline/mcp'
import type { ProgramArgument, ProgramOption, ProgramTool } from './description.ts'

/**
 * The words that a program is started with. Each value is one word, no shell reads it, and none that looks like an
 * option is put where it would be taken for one.
 */
export function argumentVector(tool: ProgramTool, given: Fields): readonly string[] {
  const options = (tool.options ?? []).flatMap((option) => optionWords(option, given[option.name]))
  const words: string[] = [...(tool.command ?? []), ...options]
  let isAfterEnd = false
  for (const argument of tool.arguments ?? []) {
    const values = valuesOf(given[argument.name])
    if (argument.name === tool.endOfOptionsBefore) isAfterEnd = true
    if (values.length === 0) continue
    if (isAfterEnd && !words.includes('--')) words.push('--')
    for (const value of values) words.push(isAfterEnd ? value : guarded(value, argument))
  }
  for (const word of words)
    if (word.includes('\0')) throw new Error('Cannot start the program: an argument holds a zero character')
  return words
}

function valuesOf(given: unknown): readonly string[] {
  if (given === undefined || given === null) return []
  return (Array.isArray(given) ? given : [given]).map(String)
}

function optionWords(option: ProgramOption, given: unknown): readonly string[] {
  const { flag, type = option.choices ? 'text' : 'flag' } = option
  if (given === undefined || given === false) return []
  if (type === 'flag' || given === true) return [flag]
  return valuesOf(given).flatMap((value) => optionWithValue(option, value))
}

function optionWithValue(option: ProgramOption, value: string): readonly string[] {
  const {
    flag,
    valueOptional,
    form = flag.startsWith('--') ? 'equals' : valueOptional ? 'joined' : 'separate',
  } = option
  if (form === 'equals') return [`${flag}=${value}`]
  if (form === 'joined') return [`${flag}${value}`]
  return [flag, guarded(value, option)]
}

function guarded(value: string, { name }: ProgramOption | ProgramArgument): string {
  // a single dash is stdin for most programs, and an option for none
  if (!value.startsWith('-') || value === '-') return value
  const fix = 'begin it otherwise (./ before a file), or let the description set endOfOptionsBefore'
  throw new Error(`Cannot use ${JSON.stringify(value)} for ${name}: the program would take it for an option; ${fix}`)
}
