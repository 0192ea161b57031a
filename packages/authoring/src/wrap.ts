/** `trunkline wrap`: a server made of a program. */
export { describeProgram } from './wrap/describe-program.ts'
export type { ProgramDescription } from './wrap/description.ts'
export { stopAllGroups } from './wrap/process-group.ts'
export { programEnvironment } from './wrap/program-environment.ts'
export type { WrapOptions } from './wrap/program-runner.ts'
export { readDescription } from './wrap/read-description.ts'
export { wrappedServer } from './wrap/wrapped-server.ts'
export { writeDescription } from './wrap/write-description.ts'
