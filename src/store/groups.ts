// The part of the store that knows how users put their sites into groups.

export interface Group {
  id: string
  /** Each user has it once, without case. */
  name: string
  createdMs: number
  /** How many sites are in it. */
  siteCount: number
}

export interface Groups {
  /** By name. */
  listGroups(userId: string): Promise<Group[]>
  /** Throws AppError CONFLICT when the user has a group of that name, or 1,000 groups. */
  addGroup(userId: string, name: string): Promise<Group>
  /** Null when the user has no such group. Throws AppError CONFLICT when another has that name. */
  renameGroup(userId: string, id: string, name: string): Promise<Group | null>
  /** Its sites are in none then. False when the user had no such group. */
  deleteGroup(userId: string, id: string): Promise<boolean>
  /** True where the user has such a site. Null: into none. Throws AppError NOT_FOUND when the user has no such group. */
  setGroup(userId: string, hosts: string[], groupId: string | null): Promise<boolean[]>
}
