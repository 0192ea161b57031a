import type { Feature } from '../feature.ts'
import { asking } from './asking.ts'
import { prompts } from './prompts.ts'
import { resources } from './resources.ts'
import { tools } from './tools.ts'
import { working } from './working.ts'

/** Every feature, in the words of a café that each server of the folder `servers` is. */
export const features: readonly Feature[] = [...tools, ...resources, ...prompts, ...asking, ...working]
