/** Servers with directories of skills, behind a host, for tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Client } from '@trunkline/mcp'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { type ClientSkills, skills } from '@trunkline/mcp/skills'
import type { HostOptions } from '../../src/assembly/host-options.ts'
import type { Inbox } from '../../src/inbox/inbox.ts'
import type { Question } from '../../src/inbox/question.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { type RunningHost, runningHost } from '../gateway/running-host.ts'

/** A client that loads skills. */
export type SkillClient = Client & { readonly skills: ClientSkills }

/** A `SKILL.md` with the members that every skill has. */
export const skillText = (name: string, body = 'Do it.', more = ''): string =>
  `---\nname: ${name}\ndescription: How ${name} is done.\n${more}---\n\n${body}\n`

export interface SkillServer extends AsyncDisposable {
  readonly spec: ServerSpec
  /** Writes a file below its directory of skills. */
  write(path: string, content: string): void
}

/** Starts a server that serves these files as skills. */
export async function skillServer(name: string, files: { readonly [path: string]: string }): Promise<SkillServer> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'skills-')))
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  const definition = server({ name, version: '1.0.0', extensions: [skills(root)] })
  const serving = await serveHttp(definition, { port: 0 })
  return {
    spec: { name, launch: { kind: 'remote', url: serving.url, headers: {} } },
    write,
    async [Symbol.asyncDispose]() {
      await serving.close()
      await definition.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** A host in front of servers, and clients of it that load skills. */
export interface SkillHost extends Omit<RunningHost, 'dial'> {
  dial(path?: string, options?: Parameters<RunningHost['dial']>[1]): Promise<SkillClient>
}

export async function skillHost(
  servers: readonly ServerSpec[],
  options: Omit<HostOptions, 'folder' | 'servers'> = {},
): Promise<SkillHost> {
  const running = await runningHost({ servers, ...options })
  return {
    ...running,
    dial: async (path, more) =>
      (await running.dial(path, { ...more, extensions: [skills()] } as object)) as unknown as SkillClient,
  }
}

/** The first question that is wanted, as soon as it is asked. */
export function questionAsked(inbox: Inbox, isWanted: (question: Question) => boolean): Promise<Question> {
  let remove = (): void => {}
  const asked = new Promise<Question>((resolve) => {
    const present = (question: Question): void => void (isWanted(question) && resolve(question))
    remove = inbox.addDoor({ name: 'test', isLocal: true, present, withdraw() {} })
  })
  return asked.finally(remove)
}
