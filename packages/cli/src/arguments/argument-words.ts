import { readFile } from 'node:fs/promises'
import { usageFailure } from '../failure/failure.ts'

/** One argument as it was typed. */
export interface TypedArgument {
  readonly name: string
  readonly text: string
  /** True if the text is JSON regardless of the schema: `name:=[1, 2]`. */
  readonly isJson: boolean
}

/** All arguments as they were typed: one by one, or as one JSON object. */
export interface TypedArguments {
  readonly single: readonly TypedArgument[]
  readonly whole: { readonly [name: string]: unknown } | undefined
}

/** Reads `name=value`, `name:=json`, and one of `@file`, `-` for stdin, or a JSON object. */
export async function readArgumentWords(
  words: readonly string[],
  input: AsyncIterable<unknown>,
): Promise<TypedArguments> {
  const single: TypedArgument[] = []
  let whole: { readonly [name: string]: unknown } | undefined
  for (const word of words) {
    const isWhole = word === '-' || word.startsWith('@') || word.startsWith('{')
    if (isWhole && whole !== undefined) throw usageFailure('Cannot use two JSON objects as arguments: give one')
    if (isWhole) whole = await readWhole(word, input)
    else single.push(argumentOf(word))
  }
  return { single, whole }
}

/** Reads `name=value` or `name:=json`. */
export function argumentOf(word: string): TypedArgument {
  const [, name = '', sign, text = ''] = /^([^=:]+?)(:?=)([\s\S]*)$/.exec(word) ?? []
  if (sign !== undefined) return { name, text, isJson: sign === ':=' }
  throw usageFailure(`Cannot use "${word}" as an argument: write name=value, name:=json, @file or -`)
}

async function readWhole(word: string, input: AsyncIterable<unknown>): Promise<{ readonly [name: string]: unknown }> {
  const from = word === '-' ? 'stdin' : word.startsWith('@') ? `"${word.slice(1)}"` : 'the command line'
  const text = word === '-' ? await readAll(input) : word.startsWith('@') ? await readFile(word.slice(1), 'utf8') : word
  const value = parseJson(text, `the arguments from ${from}`)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as { [name: string]: unknown }
  throw usageFailure(`Cannot use the arguments from ${from}: they must be one JSON object, as in {"name": "value"}`)
}

/** Parses JSON written by hand. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageFailure(`Cannot read ${what}: ${error instanceof Error ? error.message : error}`)
  }
}

async function readAll(input: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    const piece = Buffer.from(chunk as Uint8Array)
    bytes += piece.length
    if (bytes > maxInputBytes) throw usageFailure(`Cannot read stdin: it is larger than ${maxInputBytes} bytes`)
    chunks.push(piece)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Largest message that servers accept by default. */
const maxInputBytes = 10 * 1024 * 1024
