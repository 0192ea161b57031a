/** `trunkline dev`: a server that is started anew with every change. */
export type { DefinitionChanges } from './development/definitions.ts'
export { DevelopedServer } from './development/developed-server.ts'
export { developmentRelay } from './development/development-relay.ts'
export { TreeWatch } from './development/watch-tree.ts'
