/** A person's machine in a temporary folder: a home, a project, and a host that follows their configuration. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, type ClientOptions, connect } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import type { Machine } from '../../src/config/machine.ts'
import { findPlaces, type Places } from '../../src/config/places.ts'
import type { Question } from '../../src/inbox/question.ts'
import { runHost } from '../../src/running/run-host.ts'
import type { RunHostOptions, RunningHost } from '../../src/running/run-host-types.ts'
import { type TemporaryFolderOptions, temporaryFolder } from '../temporary-folder.ts'

export interface Person extends Disposable {
  readonly machine: Machine
  readonly places: Places
  readonly home: string
  readonly project: string
  /** Writes their own `trunkline.json`. */
  configure(settings: unknown): void
  run(options?: Partial<RunHostOptions>): Promise<RunningHost>
}

/** A home and an empty project. */
export function person(options?: TemporaryFolderOptions): Person {
  const folder = temporaryFolder(options)
  const home = join(folder.path, 'home')
  const project = join(folder.path, 'work', 'shop')
  for (const path of [home, project]) mkdirSync(path, { recursive: true })
  const environment = { HOME: home, PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  const machine: Machine = { platform: process.platform, home, environment }
  const places = findPlaces(machine)
  return {
    machine,
    places,
    home,
    project,
    configure(settings) {
      mkdirSync(places.config, { recursive: true })
      writeFileSync(places.userFile, typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2))
    },
    run: (options) =>
      runHost({ machine, directory: project, everyMs: 100, flags: { 'host.port': 0 }, ask: { holdMs: 1 }, ...options }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

/** The entry of a program of `test/programs`. */
export function programEntry(program = 'upstream', more: object = {}): object {
  const file = programFile(new URL(`../programs/${program}.ts`, import.meta.url))
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  return { command: process.execPath, args: [file], env, ...more }
}

/** Connects to a host as one of the person's programs. */
export async function callerOf({ host }: RunningHost, name = 'editor', options: ClientOptions = {}): Promise<Client> {
  const { token } = await host.principals.make({ name })
  const http = { headers: { authorization: `Bearer ${token}` } }
  return connect(new URL(host.url), { ...options, http } as ClientOptions)
}

/** The next question of a kind that is as wanted. */
export function questionOf(
  { host }: RunningHost,
  kind: Question['kind'],
  isWanted: (question: Question) => boolean = () => true,
): Promise<Question> {
  return new Promise((resolve) => {
    const stop = host.inbox.addDoor({
      name: 'test',
      isLocal: true,
      present: (question) => {
        if (question.kind !== kind || !isWanted(question)) return
        queueMicrotask(() => stop())
        resolve(question)
      },
      withdraw() {},
    })
  })
}

/** Answers a question as a person at this machine does. */
export async function answer(
  { host }: RunningHost,
  { id }: Question,
  choice: 'once' | 'session' | 'always' | 'refuse',
): Promise<void> {
  await host.inbox.answer(id, { choice, by: 'terminal' }, { isLocal: true })
}
