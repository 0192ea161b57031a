import * as contract from '@trunkline/mcp/contract'
import * as schema from '@trunkline/mcp/json-schema'
import * as node from '@trunkline/mcp/node'
import * as stdio from '@trunkline/mcp/stdio'
import * as telemetry from '@trunkline/mcp/telemetry'
import { entries } from '../portable/entries.ts'

/** The declarations of every entry hold with those of Node. */
export const all = { ...entries, contract, schema, node, stdio, telemetry }
