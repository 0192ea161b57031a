import { join } from 'node:path'

/** The command as its sources are, for tests that look at those. */
export const sourcesPath = join(import.meta.dirname, '../bin/trunkline.js')

/**
 * The command that tests start. The gate names the built one, which starts in half the time and is what people install;
 * else it is the sources as they are.
 */
export const commandPath = process.env.COMMAND_UNDER_TEST ?? sourcesPath
