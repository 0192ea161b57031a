/** A home whose host has a scripted model and two servers that were accepted. */

import { type ApiClient, findPlaces, findRunning } from '@trunkline/host/api'
import { programFile } from '../../../../tools/lib/program-file.ts'
import {
  providerKey,
  type ScriptedProvider,
  type ScriptedReply,
  scriptedProvider,
} from '../../../host/test/model/scripted-provider.ts'
import { bystanderApi } from './bystander-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const programs = ['library', 'asker'] as const
const fileOf = (name: string) => programFile(new URL(`../../../host/test/programs/${name}.ts`, import.meta.url))

export interface ChatHome extends AsyncDisposable {
  readonly at: HostHome
  readonly provider: ScriptedProvider
  readonly api: ApiClient
}

/** Starts a host with a model that answers by a script; other models are reached at the same address. */
export async function chatHome(
  replies: readonly ScriptedReply[],
  model: object = {},
  others: { readonly [name: string]: object } = {},
): Promise<ChatHome> {
  const provider = await scriptedProvider(...replies)
  const at = hostHome()
  at.env.MODEL_KEY = providerKey
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  at.configure({
    mcpServers: {
      one: upstreamEntry,
      ...Object.fromEntries(programs.map((name) => [name, { command: process.execPath, args: [fileOf(name)], env }])),
    },
    models: Object.fromEntries(
      Object.entries({ best: { outputPrice: 100, ...model }, ...others }).map(([name, more]) => [
        name,
        { provider: 'compatible', url: provider.url, key: `\${MODEL_KEY}`, ...more },
      ]),
    ),
    policy: { allow: ['one:echo', 'one:wait', 'asker:*'] },
  })
  await at.up()
  const api = await apiOf(at)
  await acceptAll(api)
  return {
    at,
    provider,
    api,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

async function apiOf({ home }: HostHome): Promise<ApiClient> {
  const running = await findRunning(findPlaces({ platform: process.platform, home, environment: {} }))
  if (!running) throw new Error('No host runs')
  return bystanderApi(running)
}

async function acceptAll(api: ApiClient): Promise<void> {
  for (;;) {
    const { items } = await api.call('servers')
    if (items.length === 3) {
      for (const { name: server, commandHash } of items) await api.call('acceptServer', { server, commandHash })
      return
    }
    // the endpoint answers before the configuration is read
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
