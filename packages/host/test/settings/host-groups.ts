/** Rows about everything but servers: policy, limits, profiles, inputs, models, notices and the host itself. */

import { until } from '../../../../tools/lib/until.ts'
import type { InputEntry } from '../../src/config/inputs.ts'
import type { ConfiguredModel } from '../../src/config/resolve-models.ts'
import type { HostSettings } from '../../src/config/schema/settings.ts'
import type { Question } from '../../src/inbox/question.ts'
import type { Budget } from '../../src/model/budgets.ts'
import type { PipeLimits } from '../../src/pipe/pipe-limits.ts'
import { authority } from '../challenges/proxy-world.ts'
import type { Hook } from '../notify/hook.ts'
import type { Screen } from '../notify/screen.ts'
import { answer, programEntry } from '../run/person.ts'
import { isKeptAside, keepsArguments, probe } from './server-groups.ts'
import { called, type Group, listed, type Place, type Row, specAt } from './setting-rows.ts'

const asks = async (at: Place, tool: string, args: object = { text: 'x' }) =>
  /waits for a person/.test(await called(at, `probe__${tool}`, args))

const rules: Group = {
  name: 'rules',
  base: probe,
  rows: [
    {
      ...{ path: 'policy.allow', value: ['probe:write_note'], without: true, with: false },
      observe: (at) => asks(at, 'write_note'),
    },
    {
      ...{ path: 'policy.ask', value: ['probe:read_note'], without: false, with: true },
      observe: (at) => asks(at, 'read_note'),
    },
    {
      ...{ path: 'policy.deny', value: ['probe:read_self'], without: false, with: true },
      observe: async (at) => /The policy denies/.test(await called(at, 'probe__read_self')),
    },
    {
      ...{ path: 'policy.review', value: ['probe:list_notes'], without: 'no notes', with: true },
      observe: async (at) => {
        const { inbox } = at.running.host
        const review = () => inbox.open.find(({ kind, principal }) => kind === 'result' && principal === at.name)
        const answered = called(at, 'probe__list_notes')
        let isAnswered = false
        void answered.finally(() => {
          isAnswered = true
        })
        await until(() => isAnswered || review() !== undefined)
        if (isAnswered) return answered
        await answer(at.running, review() as Question, 'once')
        return (await answered) === 'no notes'
      },
    },
    {
      ...{ path: 'policy.proof', value: ['destroys'], without: [], with: ['destroys'] },
      observe: ({ running, root }) => running.host.proof.scopesIn(root),
    },
    {
      ...{ path: 'policy.definitions', value: 'strict', without: false, with: true },
      observe: ({ running, root }) => running.host.projects.of(root).isStrict,
    },
  ],
}

const mode: Group = {
  name: 'the mode of the policy',
  base: probe,
  rows: [
    {
      ...{ path: 'policy.mode', value: 'observe', without: true, with: false },
      observe: (at) => asks(at, 'write_note'),
    },
  ],
}

const pace: Group = {
  name: 'calls in a minute',
  base: probe,
  rows: [
    {
      ...{ path: 'host.callsPerMinute', value: 3, without: undefined, with: 'refused' },
      observe: async (at) => {
        for (let call = 1; call <= 4; call += 1) {
          if (/Too many calls/.test(await called(at, 'probe__read_note', { text: 'x' }))) return 'refused'
        }
        return undefined
      },
    },
  ],
}

type PipeSetting = keyof NonNullable<HostSettings['pipe']>

const planLimits: {
  readonly [Key in PipeSetting]?: readonly [value: number, seen: keyof PipeLimits, inUnits: number]
} = {
  maxItems: [7, 'maxItems', 7],
  maxCalls: [8, 'maxCalls', 8],
  maxParallel: [2, 'maxParallel', 2],
  maxKeptMb: [3, 'maxKeptBytes', 3 * 1024 ** 2],
  maxMinutes: [4, 'maxTotalMs', 4 * 60_000],
  maxRuns: [1, 'maxRunsPerPrincipal', 1],
}

const keptAndPlans: Group = {
  name: 'what is kept, and plans of calls',
  base: probe,
  rows: [
    {
      ...{ path: 'host.maxResultKb', value: 1, without: 5_000, with: true },
      observe: async (at) => isKeptAside(await called(at, 'probe__read_text', { bytes: 5_000 })),
    },
    { path: 'ledger.record', value: 'off', without: true, with: false, observe: keepsArguments },
    ...planRow('maxSteps', 2, { steps: ['a', 'b', 'c'].map((id) => ({ id, call: 'probe__list_notes' })) }),
    ...planRow('maxNesting', 1, {
      steps: [{ id: 'a', steps: [{ id: 'b', steps: [{ id: 'c', call: 'probe__list_notes' }] }] }],
    }),
    ...planRow('maxPlanKb', 1, {
      steps: [{ id: 'a', call: 'probe__read_note', arguments: { text: 'x'.repeat(2_000) } }],
    }),
    ...Object.entries(planLimits).map(([key, [value, seen, inUnits]]) => ({
      ...{ path: `pipe.${key}`, value, without: undefined, with: inUnits },
      observe: ({ running, root }: Place) => {
        const limit = running.host.projects.of(root).limits?.pipe[seen]
        return limit === inUnits ? limit : undefined
      },
    })),
    {
      ...{ path: 'pipe.maxRemembered', value: 5, without: 200, with: 5 },
      observe: ({ running }) => running.host.pipes.limits.maxRemembered,
    },
  ],
}

/** A row whose plan is beyond the limit. */
function planRow(key: PipeSetting, value: number, plan: object): readonly Row[] {
  return [
    {
      ...{ path: `pipe.${key}`, value, without: false, with: true },
      observe: async (at) => /at most|deeper than/.test(await called(at, 'pipe', { plan, check: true })),
    },
  ]
}

const profiles: Group = {
  name: 'profiles',
  base: {
    mcpServers: { probe: programEntry('probe'), other: programEntry('where') },
    profiles: { described: {}, servers: {}, tools: {}, searched: {}, planned: {} },
  },
  rows: [
    {
      ...{ path: 'profiles.described.description', value: 'For notes', without: undefined, with: 'For notes' },
      observe: async (at) => (await at.caller('/profile/described')).instructions,
    },
    {
      ...{ path: 'profiles.servers.servers', value: ['probe'], without: true, with: false },
      observe: async (at) => (await listed(at, '/profile/servers')).includes('other__read_pid'),
    },
    {
      ...{ path: 'profiles.tools.tools', value: ['probe:read_*'], without: true, with: false },
      observe: async (at) => (await listed(at, '/profile/tools')).includes('probe__list_notes'),
    },
    {
      ...{ path: 'profiles.searched.search', value: true, without: false, with: true },
      observe: async (at) => (await listed(at, '/profile/searched')).includes('search_tools'),
    },
    {
      ...{ path: 'profiles.planned.pipe', value: true, without: false, with: true },
      observe: async (at) => (await listed(at, '/profile/planned')).includes('pipe'),
    },
  ],
}

/** The value of a variable that a server gets of an input, else the message to the person. */
const given =
  (name: string) =>
  (at: Place): string => {
    const launch = specAt(at, name)?.launch
    if (launch?.kind === 'program') return launch.env.VALUE ?? ''
    return launch?.kind === 'unresolved' ? (/\(([^)]*)\) was not given/.exec(launch.needs)?.[1] ?? 'missing') : ''
  }

const asking = (id: string) => [id, { ...programEntry('probe'), env: { VALUE: `\${input:${id}}` }, sharing: 'project' }]
const inputRow = (entry: InputEntry, seen: Pick<Row, 'without' | 'with'>): Row => ({
  path: 'inputs',
  value: [entry],
  observe: given(entry.id ?? ''),
  ...seen,
})

const inputs: Group = {
  name: 'inputs',
  starts: false,
  base: {
    mcpServers: Object.fromEntries(['named', 'proposed', 'told', 'picked', 'offered', 'hidden'].map(asking)),
    inputs: [{ id: 'hidden', default: 'seen' }],
  },
  // the last key of each is the one that the row is about
  rows: [
    inputRow({ default: 'by id', id: 'named' }, { without: 'missing', with: 'by id' }),
    inputRow({ id: 'proposed', default: 'this' }, { without: 'missing', with: 'this' }),
    inputRow({ id: 'told', description: 'Your name' }, { without: 'missing', with: 'Your name' }),
    inputRow(
      { id: 'picked', options: ['a'], default: 'b', type: 'pickString' },
      { without: 'missing', with: 'one of "a"' },
    ),
    inputRow({ id: 'offered', type: 'pickString', options: ['c'] }, { without: 'missing', with: 'one of "c"' }),
    inputRow({ id: 'hidden', default: 'seen', password: true }, { without: 'seen', with: 'missing' }),
  ],
}

const model: Partial<ConfiguredModel> = {
  ...{ provider: 'compatible', url: 'http://127.0.0.1:9/v1', key: 'of the host', hints: ['large'] },
  ...{ intelligence: 0.9, speed: 0.8, inputPrice: 2, outputPrice: 3, contextTokens: 5_000, maxOutputTokens: 99 },
}
const written = { ...model, key: 'secret:model' } as { readonly [key: string]: Row['value'] }

const budget: Budget = { requestsPerHour: 1, requestsPerDay: 2, tokensPerHour: 3, tokensPerDay: 4 }

const models: Group = {
  name: 'models',
  starts: false,
  base: { ...probe, models: { usual: { provider: 'ollama' } } },
  rows: [
    ...Object.entries(written).map(([key, value]) => ({
      ...{ path: `models.best.${key}`, value, without: undefined, with: model[key as keyof ConfiguredModel] },
      observe: ({ running }: Place) =>
        running.host.models.all.find(({ name }) => name === 'best')?.[key as keyof ConfiguredModel],
    })),
    {
      ...{ path: 'models.best.name', value: 'best-2', without: undefined, with: 'best-2' },
      observe: ({ running }) => running.host.models.all.find(({ name }) => name === 'best')?.modelId,
    },
    {
      ...{ path: 'models.best.headers.x-mark', value: 'set', without: undefined, with: 'set' },
      observe: ({ running }) => running.host.models.all.find(({ name }) => name === 'best')?.headers['x-mark'],
    },
    {
      ...{ path: 'model.use', value: 'best', without: 'usual', with: 'best' },
      observe: ({ running }) => running.host.models.choose().name,
    },
    {
      ...{ path: 'model.tokensPerDay', value: 0, without: false, with: true },
      observe: async ({ running }) => {
        const request = { messages: [{ role: 'user' as const, content: 'Hello' }], maxTokens: 10 } as never
        const use = { spender: 'chat', signal: AbortSignal.timeout(20_000) }
        const error = await running.host.models.ask(running.host.models.choose(), request, use).catch((one) => one)
        return /tokens/.test(String(error))
      },
    },
    ...['budget', 'budgets.probe'].flatMap((table) =>
      Object.entries(budget).map(([key, value]) => budgetRow(table, key as keyof Budget, value)),
    ),
  ],
}

function budgetRow(table: string, key: keyof Budget, value: number | undefined): Row {
  const server = table === 'budget' ? 'other' : 'probe'
  return {
    path: `model.${table}.${key}`,
    value: value ?? 0,
    observe: ({ running }) => running.host.models.budgetOf(server)[key] === value,
    without: false,
    with: true,
  }
}

function network(folder: string): Group {
  const { ca } = authority(folder)
  const options = (at: Place) => {
    const launch = specAt(at, 'far')?.launch
    return launch?.kind === 'remote' ? launch.network : undefined
  }
  return {
    name: 'the network',
    base: { mcpServers: { far: { url: 'http://127.0.0.1:9/mcp', sharing: 'project' } } },
    rows: [
      {
        ...{ path: 'network.proxy', value: 'http://127.0.0.1:8', without: undefined, with: 'http://127.0.0.1:8' },
        observe: (at) => options(at)?.proxy,
      },
      {
        ...{ path: 'network.noProxy', value: 'here.test', without: undefined, with: 'here.test' },
        observe: (at) => options(at)?.noProxy,
      },
      {
        ...{ path: 'network.ca', value: ca, without: false, with: true },
        observe: (at) => String(options(at)?.ca ?? '').includes('BEGIN CERTIFICATE'),
      },
    ],
  }
}

/** Hooks and a screen that notices arrive at. */
export interface NoticeWorld {
  readonly usual: Pick<Hook, 'url' | 'bodies'>
  readonly other: Pick<Hook, 'url' | 'bodies'>
  readonly screen: Pick<Screen, 'machine' | 'starts'>
}

function notices({ usual, other, screen }: NoticeWorld): Group {
  const told = (hook: NoticeWorld['usual'], id: string) =>
    hook.bodies.some(({ questions }) => questions.some((one) => one.id === id))
  /** The id of a question about a call of this place. */
  const question = async (at: Place, tool: string): Promise<string> => {
    await called(at, `probe__${tool}`, { text: at.name })
    const { open } = at.running.host.inbox
    return open.find(({ target, principal }) => target === tool && principal === at.name)?.id ?? ''
  }
  return {
    name: 'notices',
    base: { ...probe, notify: { webhook: usual.url } },
    run: { notify: { gatherMs: 1, pauseMs: 0 }, machine: screen.machine },
    rows: [
      {
        ...{ path: 'notify.webhook', value: other.url, without: 'usual', with: 'other' },
        observe: async (at) => {
          const id = await question(at, 'write_note')
          await until(() => told(usual, id) || told(other, id))
          return told(usual, id) ? 'usual' : 'other'
        },
      },
      {
        ...{ path: 'notify.desktop', value: false, without: true, with: false },
        observe: async (at) => {
          const id = await question(at, 'write_page')
          const isShown = () => screen.starts.some((words) => words.join(' ').includes(`"${at.name}" wants`))
          // both are told of a question together
          await until(() => told(usual, id) || told(other, id))
          if (at.name !== 'accepted' && at.name !== 'none') await until(isShown)
          return isShown()
        },
      },
    ],
  }
}

const host: Group = {
  name: 'the host as a whole',
  starts: false,
  base: probe,
  rows: [
    {
      ...{ path: 'host.startsAtOnce', value: 2, without: 4, with: 2 },
      observe: ({ running }) => running.host.servers.maxStarts,
    },
    {
      ...{ path: 'policy.taint', value: 'strict', without: 'default', with: 'strict' },
      observe: ({ running }) => running.host.taints.mode,
    },
    ...Object.entries({ keepDays: [3, 14], maxMb: [5, 512], chainDays: [7, 365] }).map(([key, [value = 0, usual]]) => ({
      ...{ path: `ledger.${key}`, value, without: usual, with: value },
      observe: ({ running }: Place) => running.host.retention.limits[key as 'keepDays'],
    })),
  ],
}

/** All rows but those about servers. */
export function hostGroups(folder: string, world: NoticeWorld): readonly Group[] {
  return [rules, mode, pace, keptAndPlans, profiles, inputs, models, network(folder), notices(world), host]
}
