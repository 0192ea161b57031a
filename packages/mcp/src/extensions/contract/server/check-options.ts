import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { type KnownOptions, refuseUnknownOptions } from '../../../wire/known-options.ts'
import { isObject } from '../../../wire/messages.ts'
import { checkRequirements } from './requirements.ts'
import type { ServerContractOptions } from './server-contract-options.ts'
import { checkUpdates } from './updates.ts'

const known: KnownOptions<ServerContractOptions> = {
  store: true,
  requires: true,
  updates: true,
  folders: true,
  spill: true,
  settings: true,
  limits: true,
}

const storeMethods = ['begin', 'done', 'undone']

/** Refuses options of the contract that make no sense, by their names. */
export function checkContractOptions(options: ServerContractOptions): void {
  refuseUnknownOptions('Cannot enable the contract', options, known)
  checkRequirements(options.requires)
  checkUpdates(options.updates)
  const { store, folders, spill, settings }: { readonly [Name in keyof ServerContractOptions]?: unknown } = options
  if (store !== undefined && !(isObject(store) && storeMethods.every((name) => typeof store[name] === 'function')))
    throw wrong('store', 'a store such as sqliteStores(path).effects', store)
  if (folders !== undefined && !isPaths(folders)) throw wrong('folders', 'a list of paths', folders)
  if (spill !== undefined && typeof spill !== 'boolean') throw wrong('spill', 'true or false', spill)
  if (settings !== undefined && !(isObject(settings) && typeof settings.explain === 'function'))
    throw wrong('settings', 'what settings({ … }) returns', settings)
}

const isPaths = (value: unknown): boolean =>
  Array.isArray(value) && value.every((path) => typeof path === 'string' && path !== '')

function wrong(name: string, wanted: string, value: unknown): McpError {
  return new McpError('Misuse', `Cannot enable the contract: "${name}" must be ${wanted}, not ${kindOf(value)}`)
}
