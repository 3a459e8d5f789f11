// The courses of several events at once, for a list that says how attacks go on now.
import type { Course, Store } from '../../store.ts'
import type { Database } from '../database.ts'
import { json } from '../rows.ts'

export function createCourses(database: Database): Pick<Store, 'coursesOf'> {
  const select = database.prepare(`
    SELECT course FROM event_evidence JOIN events ON events.id = event_id WHERE event_id = ? AND user_id = ?`)
  return {
    async coursesOf(userId, eventIds) {
      return database.read(() => {
        const courses = new Map<string, Course>()
        for (const id of eventIds) {
          const row = select.get(id, userId)
          const course = row === undefined ? null : json<Course | null>(row, 'course')
          if (course !== null) courses.set(id, course)
        }
        return courses
      })
    },
  }
}
