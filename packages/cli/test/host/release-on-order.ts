/** Loaded into a host by a test: at the order "release" it begins to give memory back as `trunkline up` does, and looks often. */
import { releaseWhenIdle } from '../../src/service/release-memory.ts'

process.on('message', (order) => {
  if (order === 'release') releaseWhenIdle({ everyMs: 1_000 })
})
