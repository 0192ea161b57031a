import type { Client } from '@trunkline/mcp'

/** Completions of the last word of a line. */
export interface InputCompletion {
  /** The word that a candidate replaces. */
  readonly word: string
  readonly candidates: readonly string[]
  /** Description of each candidate by its server; empty if it has none. */
  readonly about: readonly string[]
}

interface Candidate {
  readonly text: string
  readonly about?: string | undefined
}

const maxCandidates = 100
/** Pages of resources that are looked through. */
const maxResources = 1_000

/** Completes the input of a person: prompts after `/`, their arguments, and addresses of resources after `@`. */
export async function completeInput(
  client: Pick<Client, 'resources' | 'prompts' | 'complete'>,
  text: string,
  signal: AbortSignal,
): Promise<InputCompletion> {
  const word = /\S*$/.exec(text)?.[0] ?? ''
  const found = (await candidatesFor(client, text, word, signal)).slice(0, maxCandidates)
  return { word, candidates: found.map((one) => one.text), about: found.map(({ about = '' }) => about) }
}

async function candidatesFor(
  client: Pick<Client, 'resources' | 'prompts' | 'complete'>,
  text: string,
  word: string,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  if (word.startsWith('@')) return addresses(client, word.slice(1), signal)
  if (!text.startsWith('/')) return []
  const prompts = await client.prompts.list({ signal }).all()
  const [command = '', ...given] = text.split(/\s+/)
  if (given.length === 0) {
    const named = prompts.filter(({ name }) => `/${name}`.startsWith(word))
    return named.map(({ name, title, description }) => ({ text: `/${name}`, about: title ?? description }))
  }
  const prompt = prompts.find(({ name }) => `/${name}` === command)
  if (!prompt) return []
  const at = word.indexOf('=')
  const known = prompt.arguments ?? []
  const others = argumentsIn(given.slice(0, -1).join(' '))
  if (at < 0) {
    const open = known.filter(({ name }) => name.startsWith(word) && !Object.hasOwn(others, name))
    return open.map(({ name, description = '', required }) => ({
      text: `${name}=`,
      about: [required && 'required', description].filter(Boolean).join(' · '),
    }))
  }
  const argument = word.slice(0, at)
  if (!known.some(({ name }) => name === argument)) return []
  const { values } = await client.complete({ prompt: prompt.name, argument }, word.slice(at + 1), others)
  // a value with spaces is written in quotes
  return values.map((value) => ({ text: `${argument}=${/\s/.test(value) ? JSON.stringify(value) : value}` }))
}

/** Arguments as they are typed: `name=value`, with quotes around a value that has spaces. */
export function argumentsIn(text: string): { [name: string]: string } {
  const found = text.matchAll(/([^\s=]+)=("(?:[^"\\]|\\.)*"|\S*)/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unquoted(value)]))
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}

async function addresses(client: Pick<Client, 'resources'>, part: string, signal: AbortSignal): Promise<Candidate[]> {
  const found: Candidate[] = []
  const wanted = part.toLowerCase()
  let seen = 0
  for await (const { uri, name, title, description } of client.resources.list({ signal })) {
    const isFound = [uri, name, title].some((text) => text?.toLowerCase().includes(wanted))
    if (isFound) found.push({ text: `@${uri}`, about: title ?? description ?? name })
    seen += 1
    if (found.length >= maxCandidates || seen >= maxResources) break
  }
  return found
}
