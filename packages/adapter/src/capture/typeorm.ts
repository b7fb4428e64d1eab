import { handleChange } from "../outbound/handle-change.ts";
import type { Queryable, StateDatabase } from "../state/state-database.ts";
import type { Sync } from "../sync/sync.ts";
import type {
  DataSource,
  EntityManager,
  EntityMetadata,
  EntitySubscriberInterface,
  InsertEvent,
  ObjectLiteral,
  RemoveEvent,
  UpdateEvent,
} from "typeorm";

/**
 * Keeps the adapter's state in the database of a TypeORM data source: PostgreSQL.
 *
 * Transactions of the adapter are transactions of the data source, so `TableAccess` gets its EntityManager. Refuses: the driver's errors.
 */
export function createTypeormState(source: DataSource): StateDatabase<EntityManager> {
  return {
    dialect: "postgres",
    query: queryOn(source.manager),
    inTransaction: (work) => source.transaction((manager) => work({ transaction: manager, query: queryOn(manager) })),
  };
}

/**
 * Makes a subscriber that notes every change that goes through TypeORM's entities, in the transaction of that change.
 *
 * Writes by query builder or SQL pass it by: those are what `captureStatements` is for, and with it no subscriber is needed.
 * Register it with `dataSource.subscribers.push(...)`. Refuses: what noting refuses, which rolls the change back.
 */
export function createTypeormSubscriber(
  sync: Pick<Sync<EntityManager>, keyof Sync<EntityManager>>,
): EntitySubscriberInterface {
  const note = async (
    { manager, metadata }: { readonly manager: EntityManager; readonly metadata: EntityMetadata },
    entity: ObjectLiteral | undefined,
  ): Promise<void> => {
    const [id, ...others] = Object.values((entity && metadata.getEntityIdMap(entity)) ?? {});
    // A table with a key of several columns has no one local id: map it to a table with one.
    if (id === undefined || others.length > 0) return;
    await handleChange(sync, { data: { ...entity, id }, tableName: metadata.tableName }, { query: queryOn(manager) });
  };
  // The entity has the new values, and after a partial save only these; the database's has all others.
  const noteUpdate = (event: UpdateEvent<ObjectLiteral>): Promise<void> =>
    note(event, { ...event.databaseEntity, ...withoutUndefined(event.entity) });
  // A removed entity has lost its id.
  const noteRemoval = (event: RemoveEvent<ObjectLiteral>): Promise<void> =>
    note(event, { ...event.databaseEntity, ...withoutUndefined(event.entity), ...toIdMap(event) });
  return {
    afterInsert: (event: InsertEvent<ObjectLiteral>) => note(event, event.entity),
    afterUpdate: noteUpdate,
    afterRemove: noteRemoval,
    afterSoftRemove: noteRemoval,
    afterRecover: noteRemoval,
  };
}

function toIdMap({ entityId, metadata }: RemoveEvent<ObjectLiteral>): ObjectLiteral {
  if (entityId === undefined || entityId === null) return {};
  return typeof entityId === "object" ? entityId : (metadata.primaryColumns[0]?.createValueMap(entityId) ?? {});
}

function withoutUndefined(entity: ObjectLiteral | undefined): ObjectLiteral {
  return Object.fromEntries(Object.entries(entity ?? {}).filter(([, value]) => value !== undefined));
}

function queryOn(manager: EntityManager): Queryable["query"] {
  return async <Row>({ text, values }: Parameters<Queryable["query"]>[0]) => {
    const result: unknown = await manager.query(text, [...values]);
    // An update or delete with returning gives [rows, count].
    const rows = Array.isArray(result) && result.length === 2 && Array.isArray(result[0]) ? result[0] : result;
    return (Array.isArray(rows) ? rows : []) as Row[];
  };
}
