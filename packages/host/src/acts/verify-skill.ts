import { type Fields, type Interceptor, McpError } from '@trunkline/mcp'
import { type SkillEntry, verifySkillFile } from '@trunkline/mcp/skills'
import { Refused } from '../act/refused.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { AskPerson } from './apply-policy.ts'
import type { ActHandler, Doing } from './doing.ts'

export interface VerifySkillParts {
  /** Asks a server for its offers again. */
  relearn(server: ServerKey): void
}

/** Lets a file of a skill pass only if it is the accepted one: of this size, with this digest, under this frontmatter. */
export function verifySkill(parts: VerifySkillParts): Interceptor<ActHandler> {
  return (next) => (doing) => (doing.act.kind === 'skill' ? verified(doing, next, parts) : next(doing))
}

async function verified(doing: Doing, next: ActHandler, { relearn }: VerifySkillParts): Promise<Fields> {
  const { serverKey, target, server } = doing.act
  // found before it is read: a definition accepted meanwhile is another version
  const entry = doing.entry?.definition as SkillEntry | undefined
  const result = await next(doing)
  if (!entry) throw new Refused('unknown', `There is no skill "${target}" of server "${server}"`)
  try {
    await verifySkillFile(entry, { uri: String(doing.params.uri), result })
    return result
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    relearn(serverKey)
    const why = `${error.message}. A person is asked once server "${server}" lists the change`
    throw new Refused('changed', why)
  }
}

/** Asks about skills whose files are known beforehand only: a consent to others would hold for whatever they become. */
export function askVersioned(ask: AskPerson): AskPerson {
  return (doing, verdict, next) => {
    const { act } = doing
    if (act.kind !== 'skill' || act.arguments.dynamic !== true) return ask(doing, verdict, next)
    const why = `the files of skill "${act.arguments.name}" are not known beforehand, so a consent cannot be bound to them`
    const rule = `${act.server}:@skill{name=${act.arguments.name}}`
    throw new Refused('denied', `The skill cannot be read: ${why}. To read it all the same, add to "allow": "${rule}"`)
  }
}
