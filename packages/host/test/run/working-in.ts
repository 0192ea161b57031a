/** Projects of a person, and programs that work in them. */
import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, type ClientOptions, connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { projectHeader } from '../../src/gateway/bridge/line-protocol.ts'
import type { Question } from '../../src/inbox/question.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { answer, type Person } from './person.ts'

/** One more project of a person, with a file of its own. */
export function project(ann: Person, name: string, settings?: object): string {
  const path = join(ann.project, '..', name)
  mkdirSync(path, { recursive: true })
  if (settings) writeFileSync(join(path, 'trunkline.json'), JSON.stringify(settings))
  return realpathSync(path)
}

const tokens = new WeakMap<RunningHost, string>()

/** Connects as a program that works in a directory. */
export async function callerIn(running: RunningHost, directory?: string, options: ClientOptions = {}): Promise<Client> {
  const token = tokens.get(running) ?? (await running.host.principals.make({ name: 'editor' })).token
  tokens.set(running, token)
  const headers = { authorization: `Bearer ${token}`, ...(directory !== undefined && projectHeader(directory)) }
  return connect(new URL(running.host.url), { ...options, http: { headers } } as ClientOptions)
}

/** The names of the tools that a caller is offered. */
export const namesOf = async (mcp: Client) => (await mcp.tools.list().all()).map(({ name }) => name).sort()

/** The open question of a kind about a project. */
export async function questionIn(running: RunningHost, kind: Question['kind'], root: string): Promise<Question> {
  const find = () => running.host.inbox.open.find((one) => one.kind === kind && one.project === root)
  await until(() => find() !== undefined)
  return find() ?? assert.fail()
}

/** Lets a project's file count, and its servers start. */
export async function acceptProject(running: RunningHost, root: string): Promise<void> {
  await answer(running, await questionIn(running, 'file', root), 'once')
  await answer(running, await questionIn(running, 'start', root), 'once')
  const key = running.host.specs.find((spec) => spec.project === root)?.name ?? assert.fail()
  await until(() => running.host.catalogue.isPinned(key))
}
