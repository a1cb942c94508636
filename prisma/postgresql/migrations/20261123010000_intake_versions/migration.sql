-- CreateTable
CREATE TABLE "intake_form_versions" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "answers" TEXT NOT NULL,
    "submittedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "intake_form_versions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "intake_form_versions_userId_idx" ON "intake_form_versions"("userId");

-- AddForeignKey
ALTER TABLE "intake_form_versions" ADD CONSTRAINT "intake_form_versions_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
