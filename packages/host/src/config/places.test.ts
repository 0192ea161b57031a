import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Machine } from './machine.ts'
import { findPlaces, localFile } from './places.ts'

const linux: Machine = { platform: 'linux', home: '/home/ada', environment: {} }

test('findPlaces: the folders of each platform', () => {
  const { config, state } = findPlaces(linux)
  assert.deepEqual([config, state], ['/home/ada/.config/trunkline', '/home/ada/.local/state/trunkline'])
  const mac = findPlaces({ platform: 'darwin', home: '/Users/ada', environment: {} })
  assert.deepEqual([mac.config, mac.state], ['/Users/ada/.config/trunkline', '/Users/ada/.local/state/trunkline'])
  const windows = findPlaces({ platform: 'win32', home: 'C:\\Users\\ada', environment: { APPDATA: 'D:\\Roaming' } })
  assert.deepEqual(
    [windows.config, windows.state],
    ['D:\\Roaming\\trunkline', 'C:\\Users\\ada\\AppData\\Local\\trunkline'],
  )
})

test('findPlaces: XDG folders are heeded when absolute', () => {
  const places = findPlaces({ ...linux, environment: { XDG_CONFIG_HOME: '/x/config', XDG_STATE_HOME: 'relative' } })
  assert.equal(places.userFile, '/x/config/trunkline/trunkline.json')
  assert.equal(places.storeFile, '/home/ada/.local/state/trunkline/trunkline.db')
})

test('findPlaces: TRUNKLINE_HOME holds everything and must be absolute', () => {
  const places = findPlaces({ ...linux, environment: { TRUNKLINE_HOME: '/srv/t', XDG_CONFIG_HOME: '/x' } })
  assert.equal(places.userFile, '/srv/t/trunkline.json')
  assert.equal(places.secretsFile, '/srv/t/state/secrets.json')
  assert.throws(
    () => findPlaces({ ...linux, environment: { TRUNKLINE_HOME: 'here' } }),
    /Cannot use TRUNKLINE_HOME "here": it must be an absolute path/,
  )
})

test('localFile: outside of the project, apart for projects of one name', () => {
  const places = findPlaces(linux)
  const [one, other] = [localFile(places, '/work/shop'), localFile(places, '/play/shop')]
  assert.match(one, /^\/home\/ada\/\.config\/trunkline\/projects\/shop-[0-9a-f]{8}\/trunkline\.json$/)
  assert.notEqual(one, other)
})
