/** Every kind of caller in front of every kind of server: messages pass in all sixteen combinations. */
import { after, describe, it } from 'node:test'
import { asking } from './asking.ts'
import { cellOf } from './behaviours.ts'
import { carrying } from './carrying.ts'
import { judging } from './judging.ts'
import { sides, World } from './world.ts'

const world = await World.open()
after(() => world[Symbol.asyncDispose]())

for (const caller of sides) {
  for (const server of sides) {
    describe(`a ${caller.shape} caller over ${caller.over}, a ${server.shape} server over ${server.over}`, () => {
      for (const [what, behaviour] of Object.entries({ ...asking, ...carrying, ...judging })) {
        it(what, async () => behaviour(await cellOf(world, caller, server)))
      }
    })
  }
}
