/** Servers that others publish, behind the gateway; each caller reaches them as people's programs do. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { commandPath as command } from '../../../cli/test/command-path.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { type Person, person } from '../run/person.ts'

const { resolve } = createRequire(import.meta.url)

/** Command of a published server. */
function published(name: string, ...args: readonly string[]) {
  const folder = dirname(resolve(`@modelcontextprotocol/${name}/package.json`))
  return { command: process.execPath, args: [join(folder, 'dist/index.js'), ...args] }
}

/** Address that a caller connects to. */
export interface Door {
  readonly url: URL
  readonly headers: { readonly [name: string]: string }
  /** `trunkline stdio`, as a client starts it. */
  readonly program: {
    readonly command: string
    readonly args: string[]
    readonly cwd: string
    readonly env: Record<string, string>
  }
}

export interface RealWorld extends AsyncDisposable {
  readonly running: RunningHost
  readonly ann: Person
  /** The address of everything, or of one server under its own names. */
  door(client: string, server?: string): Promise<Door>
}

export async function realWorld(): Promise<RealWorld> {
  const ann = person()
  writeFileSync(join(ann.project, 'note.txt'), 'a note')
  ann.configure({
    mcpServers: {
      everything: published('server-everything', 'stdio'),
      filesystem: published('server-filesystem', ann.project),
      memory: { ...published('server-memory'), env: { MEMORY_FILE_PATH: join(ann.home, 'memory.jsonl') } },
    },
    policy: { allow: ['*:*', '*:@*'] },
  })
  const running = await ann.run()
  await Promise.all(['everything', 'filesystem', 'memory'].map((name) => running.host.accept(name)))
  return {
    running,
    ann,
    async door(client, server) {
      const { token } = await running.host.principals.make({ name: client })
      const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
      const only = server === undefined ? [] : ['--server', server]
      return {
        url: new URL(server === undefined ? running.host.url : `${running.host.url}/server/${server}`),
        headers: { authorization: `Bearer ${token}` },
        program: {
          command: process.execPath,
          args: [command, 'stdio', '--client', client, ...only],
          cwd: ann.project,
          env: { PATH, NODE_COMPILE_CACHE, HOME: ann.home },
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await running.close()
      ann[Symbol.dispose]()
    },
  }
}
