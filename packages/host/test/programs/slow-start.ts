/**
 * A server that takes a while to start, and notes in the file `STARTS` when it began and when it was ready. It waits until
 * as many began as `TOGETHER` says, so that a slow machine does not make them start one after the other.
 */

import { appendFileSync, readFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'

const file = process.env.STARTS ?? ''
appendFileSync(file, '+')
const begun = () => readFileSync(file, 'utf8').replaceAll('-', '').length
do await new Promise((resolve) => setTimeout(resolve, 300))
while (begun() < Number(process.env.TOGETHER))
appendFileSync(file, '-')
await serve(server({ name: 'slow', version: '1.0.0' }).tool('echo', {}, () => 'echo'))
