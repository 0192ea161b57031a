import type { Client } from '@trunkline/mcp'

/** What the last word of a line may become. */
export interface InputCompletion {
  /** The word that a candidate replaces. */
  readonly word: string
  readonly candidates: readonly string[]
}

const maxCandidates = 100
/** Pages of resources that are looked through. */
const maxResources = 1_000

/** Completes what a person types: prompts after `/`, their arguments, and addresses of resources after `@`. */
export async function completeInput(
  client: Pick<Client, 'resources' | 'prompts' | 'complete'>,
  text: string,
  signal: AbortSignal,
): Promise<InputCompletion> {
  const word = /\S*$/.exec(text)?.[0] ?? ''
  const candidates = await candidatesFor(client, text, word, signal)
  return { word, candidates: candidates.slice(0, maxCandidates) }
}

async function candidatesFor(
  client: Pick<Client, 'resources' | 'prompts' | 'complete'>,
  text: string,
  word: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (word.startsWith('@')) return (await addresses(client, word.slice(1), signal)).map((uri) => `@${uri}`)
  if (!text.startsWith('/')) return []
  const prompts = await client.prompts.list({ signal }).all()
  const [command = '', ...given] = text.split(/\s+/)
  if (given.length === 0) return prompts.map(({ name }) => `/${name}`).filter((name) => name.startsWith(word))
  const prompt = prompts.find(({ name }) => `/${name}` === command)
  if (!prompt) return []
  const at = word.indexOf('=')
  const names = (prompt.arguments ?? []).map(({ name }) => name)
  if (at < 0) return names.filter((name) => name.startsWith(word)).map((name) => `${name}=`)
  const argument = word.slice(0, at)
  if (!names.includes(argument)) return []
  const others = argumentsIn(given.slice(0, -1).join(' '))
  const { values } = await client.complete({ prompt: prompt.name, argument }, word.slice(at + 1), others)
  // a value with spaces is written in quotes
  return values.map((value) => `${argument}=${/\s/.test(value) ? JSON.stringify(value) : value}`)
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

async function addresses(client: Pick<Client, 'resources'>, part: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = []
  let seen = 0
  for await (const { uri } of client.resources.list({ signal })) {
    if (uri.includes(part)) found.push(uri)
    seen += 1
    if (found.length >= maxCandidates || seen >= maxResources) break
  }
  return found
}
