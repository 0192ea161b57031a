/** Tasks in both forms, of every kind of caller in front of every kind of server. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'
import { textOf } from '../gateway/running-host.ts'
import { type Cell, cellOf, said, shown } from './behaviours.ts'
import { sides, World } from './world.ts'

const world = await World.open({ program: 'matrix-task-upstream', extensions: [tasks()] })
after(() => world[Symbol.asyncDispose]())

/** Members that a client has besides if tasks are enabled. */
interface TaskTools {
  start(
    tool: string,
    args: object,
  ): Promise<{ readonly id?: string; result(): Promise<Awaited<ReturnType<Client['tools']['call']>>> }>
}

const start = (cell: Cell, tool: string, args: object) =>
  (cell.caller.client.tools as unknown as TaskTools).start(shown(cell, tool), args)

for (const caller of sides) {
  for (const server of sides) {
    describe(`a ${caller.shape} caller over ${caller.over}, a ${server.shape} server over ${server.over}`, () => {
      it('a task is the gateway’s own, with the result of the server', async () => {
        const cell = await cellOf(world, caller, server)
        const task = await start(cell, 'render', { title: 'Metropolis' })
        assert.equal(textOf(await task.result()), 'rendered Metropolis')
        assert.ok(task.id === undefined || !JSON.parse(await said(cell, 'ids')).includes(task.id))
      })

      it('a task passes the questions of its server on to its caller', async () => {
        const cell = await cellOf(world, caller, server)
        cell.caller.answering = () => ({ action: 'accept', content: { name: 'Maria' } })
        const task = await start(cell, 'name', {})
        assert.equal(textOf(await task.result()), 'named Maria')
      })
    })
  }
}
