import assert from 'node:assert/strict'
// region telemetry
import { connect, server } from '@trunkline/mcp'
import { clientTelemetry, telemetry } from '@trunkline/mcp/telemetry'

const traced = server({ name: 'traced', version: '1.0.0' }).use(telemetry())
await using mcp = await connect(traced, { use: [clientTelemetry()] })
// endregion
assert.equal(mcp.server?.name, 'traced')
