import { keyOf, type Path } from './document/document.ts'
import type { EffectiveConfig } from './effective.ts'
import { describeMissing, interpolate } from './interpolate.ts'
import { placeOf } from './place-of-setting.ts'
import type { ConfigProblem } from './problem.ts'
import { lookupFor } from './reference-lookup.ts'
import type { ServerContext } from './resolve-server.ts'
import type { ModelEntry } from './schema/model-entry.ts'

/** A language model with every reference replaced. */
export interface ConfiguredModel {
  /** Its name in the configuration. */
  readonly name: string
  readonly provider: NonNullable<ModelEntry['provider']>
  /** Its name at the provider. */
  readonly modelId: string
  readonly url: string
  readonly key: string | undefined
  readonly headers: { readonly [name: string]: string }
  readonly hints: readonly string[]
  /** From 0 to 1. */
  readonly intelligence: number
  /** From 0 to 1. */
  readonly speed: number
  /** Of a million tokens. */
  readonly inputPrice: number
  readonly outputPrice: number
  readonly contextTokens: number
  readonly maxOutputTokens: number
}

/** The usable models, and the problems of the others. */
export interface ConfiguredModels {
  readonly models: readonly ConfiguredModel[]
  readonly problems: readonly ConfigProblem[]
}

const usualUrls: { readonly [Provider in ConfiguredModel['provider']]: string | undefined } = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  ollama: 'http://127.0.0.1:11434/v1',
  vllm: 'http://127.0.0.1:8000/v1',
  compatible: undefined,
}

type ModelSettings = Pick<EffectiveConfig, 'settings' | 'explain' | 'problems'>

/** Default properties of a model. */
const usual = {
  intelligence: 0.5,
  speed: 0.5,
  inputPrice: 0,
  outputPrice: 0,
  contextTokens: 100_000,
  maxOutputTokens: 8_192,
} as const

/** Replaces the references of the models; an incomplete one is left out, with a problem that says what to write. */
export async function resolveModels(config: ModelSettings, context: ServerContext): Promise<ConfiguredModels> {
  const models: ConfiguredModel[] = []
  const problems: ConfigProblem[] = []
  for (const [name, entry] of Object.entries(config.settings.models ?? {})) {
    const found = new Findings(config, name)
    const model = await resolveModel(name, entry, context, found)
    if (model && !found.isBroken) models.push(model)
    problems.push(...found.problems)
  }
  const { use } = config.settings.model ?? {}
  if (use !== undefined && config.settings.models?.[use] === undefined) {
    const names = Object.keys(config.settings.models ?? {})
    const fix =
      names.length === 0 ? 'configure it below "models"' : `write ${names.map((one) => `"${one}"`).join(' or ')}`
    problems.push({ ...placeOf(config, ['model', 'use']), key: 'model.use', problem: `names no model: "${use}"`, fix })
  }
  return { models, problems }
}

async function resolveModel(
  name: string,
  entry: ModelEntry,
  context: ServerContext,
  found: Findings,
): Promise<ConfiguredModel | undefined> {
  const { provider } = entry
  if (provider === undefined) {
    found.report(['provider'], 'is missing', 'write who runs it: anthropic, openai, ollama, vllm or compatible')
    return undefined
  }
  const lookup = await lookupFor(entry, context)
  const put = (text: string, path: Path): string => {
    const { text: replaced, missing } = interpolate(text, lookup)
    for (const one of missing) found.report(path, `cannot be used: ${describeMissing(one)}`, 'set it, or write another')
    return replaced
  }
  const written = entry.url ?? usualUrls[provider]
  if (written === undefined) found.report(['url'], 'is missing', 'write the address of the endpoint')
  const url = written === undefined ? '' : put(written, ['url']).replace(/\/+$/, '')
  const key = entry.key === undefined ? undefined : put(entry.key, ['key'])
  refuseUnsafe({ provider, url, key }, found)
  const headers = Object.entries(entry.headers ?? {}).map(([header, text]) => [header, put(text, ['headers', header])])
  const { key: _key, headers: _headers, url: _url, hints = [], name: modelId = name, ...measures } = entry
  return { ...usual, ...measures, name, provider, modelId, url, key, headers: Object.fromEntries(headers), hints }
}

/** Refuses a missing key, and one that would travel where others can read it. */
function refuseUnsafe(
  { provider, url, key }: { readonly provider: string; readonly url: string; readonly key: string | undefined },
  found: Findings,
): void {
  if (url === '') return
  const host = URL.canParse(url) ? new URL(url).hostname : undefined
  if (host === undefined) return found.report(['url'], 'is no address', 'write one such as https://models.example/v1')
  const isHere = host === 'localhost' || host === '[::1]' || /^127\./.test(host)
  const isUsual = url === usualUrls.anthropic || url === usualUrls.openai
  if (key === undefined && isUsual) {
    const variable = provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY'
    found.report(['key'], 'is missing', `write "\${${variable}}" and set that variable, or "secret:NAME"`)
  }
  if (key !== undefined && !isHere && url.startsWith('http:')) {
    found.report(['url'], 'would send the key unencrypted', 'write an address that begins with https://')
  }
}

/** A mistake in one of these was found when the file was read, and left them out: without them it is another model. */
const needed = ['provider', 'url', 'key', 'headers'] as const

class Findings {
  readonly problems: ConfigProblem[] = []
  readonly #config: ModelSettings
  readonly #name: string
  readonly #mistaken: readonly string[]

  constructor(config: ModelSettings, name: string) {
    this.#config = config
    this.#name = name
    const keys = config.problems.map(({ key }) => key)
    this.#mistaken = needed
      .map((part) => keyOf(['models', name, part]))
      .filter((key) => keys.some((one) => one === key || one.startsWith(`${key}.`)))
  }

  get isBroken(): boolean {
    return this.problems.length > 0 || this.#mistaken.length > 0
  }

  /** Reports a problem once. */
  report(path: Path, problem: string, fix: string): void {
    const at = ['models', this.#name, ...path]
    const key = keyOf(at)
    if (!this.#mistaken.includes(key)) this.problems.push({ ...placeOf(this.#config, at), key, problem, fix })
  }
}
