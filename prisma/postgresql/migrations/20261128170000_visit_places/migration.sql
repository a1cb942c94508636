-- Where a visit in person takes place, if not where the practice usually meets families.
ALTER TABLE "appointments" ADD COLUMN "place" TEXT;
