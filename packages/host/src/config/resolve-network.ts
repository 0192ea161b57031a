import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { NetworkOptions } from '@trunkline/mcp'
import type { EffectiveConfig } from './effective.ts'
import { describeMissing, interpolate } from './interpolate.ts'
import { placeOf } from './place-of-setting.ts'
import type { ConfigProblem } from './problem.ts'
import { lookupFor } from './reference-lookup.ts'
import type { ServerContext } from './resolve-server.ts'

/** Network settings for remote servers, with every reference replaced. */
export interface ConfiguredNetwork {
  /** For the requests of the host; undefined where the environment decides alone. */
  readonly options: NetworkOptions | undefined
  /** The same as variables, for programs that are to have them. */
  readonly variables: { readonly [name: string]: string }
  readonly problems: readonly ConfigProblem[]
}

/** The variables that programs know their proxy and certificates by. */
const passed = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS']

/** Replaces the references of `network` and reads its certificates; bad settings are left out, and named. */
export async function resolveNetwork(
  config: Pick<EffectiveConfig, 'settings' | 'explain'>,
  context: ServerContext,
): Promise<ConfiguredNetwork> {
  const { network = {} } = config.settings
  const problems: ConfigProblem[] = []
  const placed = (key: 'proxy' | 'noProxy' | 'ca') => placeOf(config, ['network', key])
  const wrong = (key: 'proxy' | 'noProxy' | 'ca', problem: string, fix: string): undefined => {
    problems.push({ ...placed(key), key: `network.${key}`, problem, fix })
  }
  const put = async (key: 'proxy' | 'noProxy' | 'ca'): Promise<string | undefined> => {
    const written = network[key]
    if (written === undefined) return undefined
    const { text, missing } = interpolate(written, await lookupFor(written, context))
    const [first] = missing.map(describeMissing)
    return first === undefined ? text : wrong(key, `cannot be used: ${first}`, 'set it, or write the value itself')
  }
  const proxy = checkedProxy(await put('proxy'), wrong)
  const noProxy = await put('noProxy')
  const named = await put('ca')
  const file = named === undefined ? undefined : resolve(dirname(placed('ca').file), named)
  const ca = file === undefined ? undefined : await certificates(file, wrong)
  const options = given({ proxy, noProxy, ca })
  return {
    options: Object.keys(options).length > 0 ? options : undefined,
    variables: variablesOf(context.environment, { proxy, noProxy, ca: ca === undefined ? undefined : file }),
    problems,
  }
}

type Wrong = (key: 'proxy' | 'ca', problem: string, fix: string) => undefined

/** The address itself is not shown, as it may hold a password. */
function checkedProxy(text: string | undefined, wrong: Wrong): string | undefined {
  if (text === undefined || text === '') return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text
  return wrong('proxy', 'is no address of a proxy', 'write one such as http://proxy.example:3128')
}

async function certificates(file: string, wrong: Wrong): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: { code?: string }) => error)
  if (typeof text !== 'string')
    return wrong('ca', `names "${file}", which cannot be read: ${text.code}`, 'write the path of a PEM file')
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  return wrong('ca', `names "${file}", which holds no certificate`, 'write the path of a PEM file')
}

function given<Value>(values: { readonly [name: string]: Value | undefined }): { readonly [name: string]: Value } {
  const there = Object.entries(values).filter((pair): pair is [string, Value] => pair[1] !== undefined)
  return Object.fromEntries(there)
}

function variablesOf(
  environment: ServerContext['environment'],
  { proxy, noProxy, ca }: { readonly [key: string]: string | undefined },
): { readonly [name: string]: string } {
  const own = given(Object.fromEntries(passed.map((name) => [name, environment[name]])))
  const named = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy }
  return { ...own, ...given({ ...named, NO_PROXY: noProxy, no_proxy: noProxy, NODE_EXTRA_CA_CERTS: ca }) }
}
