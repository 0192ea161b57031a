import { apiClient, findPlaces, findRunning, thisMachine } from '@trunkline/host/api'
import type { SkillEntry } from '@trunkline/mcp/skills'
import type { Candidate, Completing } from '../manual/completing.ts'
import { openSession } from '../session/session.ts'
import { configuredTarget } from './configured-target.ts'

/** A shell waits no longer than this for what may follow. */
const limitMs = 3_000

/** Sources of completion on this machine: servers at URLs, and configured ones. */
export function completingHere(commands: Completing['commands'], signal: AbortSignal): Completing {
  return {
    commands,
    servers: configuredNames,
    clients: async () => {
      const { clients } = await import('@trunkline/host/config')
      return clients.map(({ id, title }) => ({ text: id, about: title }))
    },
    skills: async (server) => (await skillsOf(server)).map(({ name, about }) => ({ text: name, about })),
    skillFiles: filesOfSkill,
    async connect(word) {
      const isUrl = /^https?:\/\//i.test(word) && URL.canParse(word)
      const target = isUrl ? ({ kind: 'url', url: word } as const) : await configuredTarget(word)
      if (target.kind === 'unknown') return undefined
      const client = await openSession({ target, timeoutMs: limitMs, signal, onWarning: () => {} })
      return { client, [Symbol.asyncDispose]: () => client.close() }
    },
  }
}

interface ListedSkill {
  readonly name: string
  readonly about: string
  readonly uri: string
  readonly files: SkillEntry['resources']
}

async function skillsOf(wanted: string): Promise<readonly ListedSkill[]> {
  const running = await findRunning(findPlaces(thisMachine()))
  if (!running) return []
  const { items } = await apiClient(running).call('catalogue')
  return items
    .filter(({ kind, server }) => kind === 'skill' && server === wanted)
    .map(({ original, definition }) => {
      const { frontmatter, resources: files = [] } = definition as Partial<SkillEntry>
      const { name = original, description = '' } = frontmatter ?? {}
      return { name, about: description, uri: original, files }
    })
}

async function filesOfSkill(server: string, wanted: string): Promise<readonly Candidate[]> {
  const skill = (await skillsOf(server)).find(({ name, uri }) => wanted === name || wanted === uri)
  // the files of a dynamic skill are known once they are read
  if (skill === undefined || skill.files === 'dynamic') return []
  const root = skill.uri.slice(0, skill.uri.lastIndexOf('/') + 1)
  return skill.files.map(({ uri, size }) => ({
    text: uri.slice(root.length).split('/').map(decodeURIComponent).join('/'),
    about: `${size} bytes`,
  }))
}

/** The names of servers, as the host that runs knows them, or else as they are configured. */
async function configuredNames(): Promise<readonly Candidate[]> {
  const machine = thisMachine()
  const running = await findRunning(findPlaces(machine))
  if (running) {
    const { items } = await apiClient(running).call('servers')
    return items.map(({ name, state, command }) => ({ text: name, about: `${state}: ${command}` }))
  }
  const { Config } = await import('@trunkline/host/config')
  using config = new Config({ places: findPlaces(machine), machine, isAccepted: () => false })
  const { servers } = await config.effective(process.cwd())
  return servers.map(({ name, entry }) => ({ text: name, about: entry.url ?? entry.command ?? '' }))
}
