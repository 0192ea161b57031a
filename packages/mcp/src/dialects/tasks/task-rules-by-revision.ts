import { facts20251125 } from '../2025-11-25.ts'
import { facts20260728 } from '../2026-07-28.ts'
import type { Caller } from '../dialect.ts'
import { coreTasks } from './core-tasks.ts'
import { extensionTasks } from './extension-tasks.ts'
import type { TaskRules } from './task-rules.ts'

const rules: ReadonlyMap<string, TaskRules> = new Map([
  [facts20260728.vocabulary.revision, extensionTasks(facts20260728)],
  [facts20251125.vocabulary.revision, coreTasks(facts20251125)],
])

/** The task rules of a caller's revision; undefined when it has no tasks. */
export function taskRulesOf({ revision }: Caller): TaskRules | undefined {
  return rules.get(revision)
}
