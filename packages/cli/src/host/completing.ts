import { apiClient, findPlaces, findRunning, thisMachine } from '@trunkline/host/api'
import type { SkillFrontmatter } from '@trunkline/mcp/skills'
import type { Candidate, Completing } from '../manual/completing.ts'
import { openSession } from '../session/session.ts'
import { configuredTarget } from './configured-target.ts'

/** A shell waits no longer than this for what may follow. */
const limitMs = 3_000

/** What completion may look at on this machine: servers at addresses, and those that are configured. */
export function completingHere(commands: Completing['commands'], signal: AbortSignal): Completing {
  return {
    commands,
    servers: configuredNames,
    clients: async () => {
      const { clients } = await import('@trunkline/host')
      return clients.map(({ id, title }) => ({ text: id, about: title }))
    },
    skills: listedSkills,
    async connect(word) {
      const isUrl = /^https?:\/\//i.test(word) && URL.canParse(word)
      const target = isUrl ? ({ kind: 'url', url: word } as const) : await configuredTarget(word)
      if (target.kind === 'unknown') return undefined
      const client = await openSession({ target, timeoutMs: limitMs, signal, onWarning: () => {} })
      return { client, [Symbol.asyncDispose]: () => client.close() }
    },
  }
}

async function listedSkills(wanted: string): Promise<readonly Candidate[]> {
  const running = await findRunning(findPlaces(thisMachine()))
  if (!running) return []
  const { items } = await apiClient(running).call('catalogue')
  return items
    .filter(({ kind, server }) => kind === 'skill' && server === wanted)
    .map(({ original, definition }) => {
      const { name = original, description = '' } = (definition.frontmatter ?? {}) as Partial<SkillFrontmatter>
      return { text: name, about: description }
    })
}

/** The names of servers, as the host that runs knows them, or else as they are configured. */
async function configuredNames(): Promise<readonly Candidate[]> {
  const machine = thisMachine()
  const running = await findRunning(findPlaces(machine))
  if (running) {
    const { items } = await apiClient(running).call('servers')
    return items.map(({ name, state, command }) => ({ text: name, about: `${state}: ${command}` }))
  }
  const { Config } = await import('@trunkline/host')
  using config = new Config({ places: findPlaces(machine), machine, isAccepted: () => false })
  const { servers } = await config.effective(process.cwd())
  return servers.map(({ name, entry }) => ({ text: name, about: entry.url ?? entry.command ?? '' }))
}
