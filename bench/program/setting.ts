import { progressNotices } from '../wire/messages.ts'

/** The port a contestant listens on. */
export const port = Number(process.env.PORT ?? 0)

/** The names of the tools a contestant offers, all alike: the first is the one that gets called. */
export const toolNames: readonly string[] = Array.from({ length: Number(process.env.TOOLS ?? 1) }, (_, index) =>
  index === 0 ? 'echo' : `echo-${index}`,
)

/** True if the contestant also offers `steps`, the tool that reports progress. */
export const withSteps = process.env.STEPS === '1'

/** The progress values `steps` reports. */
export const steps: readonly number[] = Array.from({ length: progressNotices }, (_, index) => index + 1)

/** The address of the server that a gateway stands in front of, where it is over HTTP and runs already. */
export const upstreamUrl = process.env.UPSTREAM_URL
