-- CreateTable
CREATE TABLE "visit_answers" (
    "appointmentId" INTEGER NOT NULL,
    "important" TEXT,
    "change" TEXT,
    "pages" TEXT,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "visit_answers_pkey" PRIMARY KEY ("appointmentId")
);

-- AddForeignKey
ALTER TABLE "visit_answers" ADD CONSTRAINT "visit_answers_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments"("id") ON DELETE CASCADE ON UPDATE CASCADE;
