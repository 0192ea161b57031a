import type { ProgramOption } from '../description.ts'
import { choicesIn } from './choices.ts'
import { inputName } from './input-name.ts'

/** The options that a help text lists. */
export function readOptions(help: string): readonly ProgramOption[] {
  const found = new Map<string, ProgramOption>()
  for (const { syntax, description } of optionEntries(help)) {
    const option = readOption(syntax, description)
    if (option && !found.has(option.name) && !aboutItself.has(option.flag)) found.set(option.name, option)
  }
  return [...found.values()].slice(0, maxOptions)
}

/** A program has no more options than this that a model could make use of. */
const maxOptions = 200

const aboutItself = new Set(['--help', '--version', '-help'])

interface OptionEntry {
  readonly syntax: string
  readonly description: string
}

/** Entries of an option list: the syntax on the left, and all of the description on the right. */
function optionEntries(help: string): readonly OptionEntry[] {
  const entries: { syntax: string; description: string; indent: number }[] = []
  for (const line of help.split('\n')) {
    const indent = line.length - line.trimStart().length
    const last = entries.at(-1)
    if (/^\s{1,12}-[-\w?]/.test(line)) {
      const [syntax = '', ...rest] = line.trim().split(/\s{2,}|\t/)
      // some list another spelling of the same option on a line of its own
      if (last?.description === '' && last.syntax.endsWith(',')) {
        last.syntax += ` ${syntax}`
        last.description = rest.join(' ')
      } else entries.push({ syntax, description: rest.join(' '), indent })
    } else if (last && line.trim() !== '' && indent > last.indent) {
      last.description = `${last.description} ${line.trim()}`.trim()
    } else if (line.trim() !== '') entries.push({ syntax: '', description: '', indent: 1_000 })
  }
  return entries.filter(({ syntax }) => syntax !== '')
}

function readOption(syntax: string, description: string): ProgramOption | undefined {
  const spellings = syntax
    .replaceAll('[no-]', '')
    .replace(/,$/, '')
    .split(/,\s*(?=-)|\s+\|\s+(?=-)|\s+(?=--?[a-zA-Z])|\/(?=-)/)
    .flatMap((written) => spellingOf(written) ?? [])
  const best = spellings.find(({ flag }) => flag.startsWith('--')) ?? spellings[0]
  if (best === undefined) return undefined
  const value = spellings.find((spelling) => spelling.value !== '')
  const says = description === '' ? {} : { description: shortened(description) }
  const named = { name: inputName(best.flag), flag: best.flag, ...says }
  if (value === undefined) return named
  const choices = choicesIn(value.value, description)
  return {
    ...named,
    type: choices === undefined ? typeOf(value.value) : 'text',
    ...(choices && { choices }),
    ...(value.isOptional && { valueOptional: true }),
    ...(isMany(value.value, description) && { multiple: true }),
    ...(best.flag.startsWith('--') && value.isSeparate && { form: 'equals' as const }),
  }
}

interface Spelling {
  readonly flag: string
  readonly value: string
  readonly isOptional: boolean
  readonly isSeparate: boolean
}

function spellingOf(written: string): Spelling | undefined {
  const match = /^(--[A-Za-z0-9][\w.-]*|-[A-Za-z0-9?])(\[?)([= ]?)(.*)$/.exec(written.trim())
  if (!match) return undefined
  const [, flag = '', bracket = '', between = '', rest = ''] = match
  const value = rest.replace(/\]$/, '').trim()
  // a value without a space or a sign before it was misread
  if (value !== '' && between === '' && bracket === '' && !/^[<{]/.test(value)) return undefined
  return { flag, value, isOptional: bracket === '[' || /^\[/.test(value), isSeparate: between === ' ' }
}

function typeOf(value: string): 'integer' | 'number' | 'text' {
  const word = value.replace(/[<>[\]=]|\.\.\./g, '').toLowerCase()
  if (/^(?:n|int|integer|count|uint|int32|int64|port|lines)$/.test(word)) return 'integer'
  return /^(?:num|number|float|float64|seconds|secs)$/.test(word) ? 'number' : 'text'
}

function isMany(value: string, description: string): boolean {
  return (
    /\w.*\.\.\.|^(?:strings|stringArray|list)$/.test(value) ||
    /multiple times|may be repeated|repeatable/i.test(description)
  )
}

function shortened(description: string): string {
  return description.length > 300 ? `${description.slice(0, 299)}…` : description
}
