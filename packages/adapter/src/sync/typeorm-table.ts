import { type DataSource, type EntityManager, type EntitySchema, MoreThan } from "typeorm";
import type { TableAccess } from "./table-access.ts";

/**
 * Reads and writes the rows of a TypeORM entity whose key is one column named `id`. A row holds the named relations: `author` as
 * `{ id, ... }`, `participants` as a list of them; writing `{ author: { id } }` joins the two.
 *
 * Refuses: the driver's errors. Source: decision A3.
 */
export function createTypeormTable(
  source: DataSource,
  entity: EntitySchema,
  relations: readonly string[] = [],
): TableAccess<EntityManager> {
  const joined = Object.fromEntries(relations.map((relation) => [relation, true]));
  const rows = (manager = source.manager) => manager.getRepository(entity);
  return {
    read: async (id, manager) => (await rows(manager).findOne({ where: { id }, relations: joined })) ?? undefined,
    create: async (row, manager) => (await rows(manager).save({ ...row })).id,
    update: async (id, changes, manager) => void (await rows(manager).save({ ...changes, id })),
    remove: async (id, manager) => void (await rows(manager).delete({ id })),
    list: async ({ after, limit }) => {
      const where = after === undefined ? {} : { id: MoreThan(after) };
      return rows().find({ where, relations: joined, order: { id: "ASC" }, take: limit });
    },
    count: () => rows().count(),
  };
}
