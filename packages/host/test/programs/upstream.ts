/** Starts a server for tests and keeps what was compiled: a host gives its servers hardly any variables, so none says where. */
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

enableCompileCache(join(tmpdir(), 'trunkline-test-compiled'))
await import('./upstream-tools.ts')
