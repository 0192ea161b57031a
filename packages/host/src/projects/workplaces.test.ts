import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Config } from '../config/config.ts'
import { findPlaces } from '../config/places.ts'
import { Workplaces } from './workplaces.ts'

it('Workplaces: projects with files of their own are kept, the oldest is forgotten beyond the limit', async () => {
  using folder = temporaryFolder()
  const home = join(folder.path, 'home')
  const machine = { platform: process.platform, home, environment: {} }
  const places = findPlaces(machine)
  using config = new Config({ places, machine, isAccepted: () => false })
  const workplaces = new Workplaces({ home, places, config: () => config, maxProjects: 2 })
  const projects = ['one', 'two', 'three', 'bare'].map((name) => join(folder.path, name))
  for (const project of [home, ...projects]) mkdirSync(project)
  for (const project of projects.slice(0, 3)) writeFileSync(join(project, 'trunkline.json'), '{}')
  assert.deepEqual(await workplaces.rootsOf([...projects, home, join(folder.path, 'gone')]), projects.slice(0, 3))
  assert.equal(workplaces.size, 2)
})
